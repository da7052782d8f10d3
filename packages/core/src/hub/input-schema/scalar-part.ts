import type { JsonObject } from '../../gemini-schema/json-object.ts';

/** A part of a type that has nothing inside, and what it loses, in words. */
export type ScalarPart = { readonly part: JsonObject; readonly lost: readonly string[] };

/** Only texts can be enumerated, and no empty one; of formats, only `date-time` is known everywhere. */
export function scalarPart({ enum: values, format, minimum, maximum }: JsonObject, type: unknown): ScalarPart {
  const listed: readonly unknown[] = Array.isArray(values) ? values : [];
  const isListed = listed.length > 0 && type === 'string' && listed.every(isWord);
  const isFormatted = type === 'string' && format !== undefined;
  return {
    part: {
      type,
      ...(isListed && { enum: listed }),
      ...(isFormatted && format === 'date-time' && { format }),
      ...bounds(type, minimum, maximum),
    },
    lost: [
      ...(isFormatted && format !== 'date-time' ? [`Format: ${String(format)}`] : []),
      ...(listed.length > 0 && !isListed ? [`One of: ${JSON.stringify(listed)}`] : []),
    ],
  };
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function bounds(type: unknown, minimum: unknown, maximum: unknown): JsonObject {
  const isNumber = type === 'number' || type === 'integer';
  return {
    ...(isNumber && minimum !== undefined && { minimum }),
    ...(isNumber && maximum !== undefined && { maximum }),
  };
}
