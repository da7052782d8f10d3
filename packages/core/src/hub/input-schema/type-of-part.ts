import type { JsonObject } from '../../gemini-schema/json-object.ts';

/** The types of a part, as a list; of one without, what its keywords are about. None where it may be anything. */
export function typesOf(own: JsonObject, type: unknown): readonly unknown[] {
  if (type !== undefined) {
    return [type].flat();
  }
  const has = (...keywords: readonly string[]) => keywords.some((keyword) => own[keyword] !== undefined);
  if (has('properties', 'required', 'additionalProperties')) {
    return ['object'];
  }
  if (has('items', 'prefixItems')) {
    return ['array'];
  }
  if (has('format')) {
    return ['string'];
  }
  return has('minimum', 'maximum') ? ['number'] : [];
}
