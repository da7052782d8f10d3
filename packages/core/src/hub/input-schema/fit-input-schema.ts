import { isObject, type JsonObject } from '../../gemini-schema/json-object.ts';
import { toGeminiSchema } from '../../gemini-schema/to-gemini-schema.ts';
import { findExcess } from '../find-excess.ts';
import type { Sha256 } from '../lent-name.ts';
import { ArgumentNames } from './argument-names.ts';
import { toModernSchema } from './to-modern-schema.ts';
import { TypedSchema } from './typed-schema.ts';

export type FitSchema =
  | {
      readonly fits: true;
      readonly schema: JsonObject;
      /** Names of arguments that were changed, with the original of each: `restoreNames` puts them back. */
      readonly originals: ReadonlyMap<string, string>;
    }
  /** Said of the schema, such as "is too large". */
  | { readonly fits: false; readonly reason: string };

/** Ten times those of the largest of 538 tools of real servers, and made fit in some milliseconds. */
const limits = { maxValues: 2_500, maxCharacters: 80_000, maxDepth: 60 };

/** Each request of a run carries the schemas of all its tools. */
const maxFitCharacters = 40_000;

/**
 * The schema of a tool's arguments as every Gemini API takes it, made of any JSON Schema of a stranger, or why there is none. A tool
 * without a schema takes an object. What the result accepts may be more than the original does, and, where the original leaves the type
 * open, less: arguments have to be checked against the original. It has no title, and the descriptions say what is lost. Time and size
 * are bounded, whatever comes; nothing is fetched.
 */
export function fitInputSchema(inputSchema: unknown, sha256: Sha256): FitSchema {
  const given =
    inputSchema === undefined || inputSchema === null || inputSchema === true ? { type: 'object' } : inputSchema;
  const excess = findExcess(given, limits);
  if (excess !== null) {
    return { fits: false, reason: excess };
  }
  if (!isObject(given)) {
    return { fits: false, reason: given === false ? 'accepts no arguments at all' : 'is no JSON object' };
  }
  const modern = toModernSchema(given);
  const relaxed = toGeminiSchema(isObject(modern) ? modern : {});
  const names = new ArgumentNames(sha256);
  const schema = new TypedSchema(relaxed, names).root(relaxed);
  if (schema === null) {
    return { fits: false, reason: 'is not the schema of an object' };
  }
  return JSON.stringify(schema).length > maxFitCharacters
    ? { fits: false, reason: `has more than ${maxFitCharacters} characters in the form that Gemini takes` }
    : { fits: true, schema, originals: names.originals };
}
