import { escapeControls, escapeName, findOversize, fitInputSchema } from '@gemini-mcp/core/internal';
import { findSchemaProblem } from '../input/check-arguments.ts';
import { isJsonObject } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import { sha256 } from './server-catalog.ts';

export type OfferedSchema =
  | {
      readonly isOffered: true;
      readonly schema: JsonObject;
      /** Renamed arguments, with the original name of each: `restoreNames` restores them. */
      readonly originals: ReadonlyMap<string, string>;
    }
  /** A predicate on the schema, such as "is too large". */
  | { readonly isOffered: false; readonly reason: string };

/** Several times the maximum of 538 tools of real servers. */
const limits = { maxValues: 2_500, maxCharacters: 40_000, maxDepth: 40 };

const maxWordsCharacters = 2_000;

/**
 * A tool's argument schema as clients see it. One schema that the API of a client's model refuses breaks each of its requests. So
 * clients get the server's own schema if it is plain, otherwise a form that the Gemini API accepts, and with it every other API.
 */
export async function offerSchema(inputSchema: JsonObject): Promise<OfferedSchema> {
  const excess = findOversize(inputSchema, limits);
  if (excess !== null) {
    return { isOffered: false, reason: excess };
  }
  const plain = isPlainRoot(inputSchema) ? readable(inputSchema) : null;
  if (plain !== null && (await findSchemaProblem({ jsonSchema: plain })) === null) {
    return { isOffered: true, schema: plain, originals: new Map() };
  }
  const fit = fitInputSchema(inputSchema, sha256);
  return fit.fits
    ? { isOffered: true, schema: readable(fit.schema), originals: fit.originals }
    : { isOffered: false, reason: fit.reason };
}

/** At the top level, Claude's API accepts no alternatives, and every API wants an object. */
const notAtTop = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const', '$ref'] as const;

function isPlainRoot(schema: JsonObject): boolean {
  return schema['type'] === 'object' && notAtTop.every((keyword) => !Object.hasOwn(schema, keyword)) && isPlain(schema);
}

/** Keywords that refer outside the schema, or differ between dialects. */
const unusual: ReadonlySet<string> = new Set([
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$id',
  '$recursiveAnchor',
  '$recursiveRef',
  '$vocabulary',
  'dependencies',
  'id',
]);

/** The argument names that Claude's API accepts, without the inherited properties of objects. */
const plainName = /^(?!__proto__$)[\w.-]{1,64}$/;

function isPlain(schema: unknown): boolean {
  if (!isJsonObject(schema)) {
    return typeof schema === 'boolean';
  }
  return Object.entries(schema).every(([keyword, value]) => {
    if (named.has(keyword)) {
      return (
        isJsonObject(value) && Object.entries(value).every(([name, each]) => plainName.test(name) && isPlain(each))
      );
    }
    if (listed.has(keyword)) {
      return Array.isArray(value) && value.every(isPlain);
    }
    // A list of schemas for items is a tuple in an older dialect.
    return single.has(keyword) ? isPlain(value) : isPlainMember(keyword, value);
  });
}

function isPlainMember(keyword: string, value: unknown): boolean {
  return keyword === '$ref' ? localReference.test(String(value)) : !(unusual.has(keyword) && typeof value === 'string');
}

const localReference = /^#\/(?:\$defs|definitions)\/[\w.-]+$/;

const named: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties']);
const listed: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const single: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
]);

/** A copy without its dialect, which does not matter for a plain schema, and with all of the server's text safe to show. */
function readable({ $schema: _, ...schema }: JsonObject): JsonObject {
  return readableMembers(schema);
}

function readableMembers({ pattern, ...given }: JsonObject): JsonObject {
  const object = withoutUnseen(given);
  const entries = Object.entries(object).map(([key, value]) => [key, readableMember(key, value)]);
  // A stranger's pattern is shown but not applied, here or by a client: it could hang either. The server applies its own.
  return typeof pattern === 'string'
    ? { ...Object.fromEntries(entries), ...describePattern(object, pattern) }
    : Object.fromEntries(pattern === undefined ? entries : [...entries, ['pattern', readableValue(pattern)]]);
}

/** Values that must return unchanged, and that a client may show to its user. */
const shownValues = ['enum', 'default', 'const', 'examples'] as const;

/** Leaves out values with invisible characters or characters that act on a terminal, and notes that in the description. */
function withoutUnseen(object: JsonObject): JsonObject {
  const unseen = shownValues.filter((key) => !isJsonObject(object[key]) && hasUnseen(object[key]));
  const kept = Object.entries(object).filter(([key]) => !unseen.some((one) => one === key));
  const { description } = object;
  const told = `Left out because of invisible characters: ${unseen.join(', ')}.`;
  const words = typeof description === 'string' ? `${description} ${told}` : told;
  return unseen.length === 0 ? object : { ...Object.fromEntries(kept), description: words };
}

function hasUnseen(value: unknown): boolean {
  if (typeof value === 'string') {
    return escapeControls(value) !== value;
  }
  return Array.isArray(value)
    ? value.some(hasUnseen)
    : isJsonObject(value) && Object.entries(value).some(([name, each]) => hasUnseen(name) || hasUnseen(each));
}

function readableMember(key: string, value: unknown): unknown {
  if (named.has(key) && isJsonObject(value)) {
    // The keys are names here: an argument may be named "default".
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readableValue(each)]));
  }
  return words.has(key) && typeof value === 'string' ? shownWords(value, maxWordsCharacters) : readableValue(value);
}

function describePattern({ description }: JsonObject, pattern: string): JsonObject {
  const told = `Pattern: ${shownWords(pattern, 200)}`;
  return {
    description: typeof description === 'string' ? `${shownWords(description, maxWordsCharacters)} ${told}` : told,
  };
}

const words: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

function readableValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(readableValue);
  }
  return isJsonObject(value) ? readableMembers(value) : value;
}

/** A server's text as clients see it: cut, with acting and hidden characters made visible. */
export function shownWords(text: string, maxCharacters: number): string {
  return escapeControls(cut(text, maxCharacters));
}

/** The same for a name, which takes one line. */
export function shownName(name: string): string {
  return escapeName(cut(name, 100));
}

function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).replace(/\p{Cs}$/u, '')}…` : text;
}
