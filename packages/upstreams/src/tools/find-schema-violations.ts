import { createContext, Script } from 'node:vm';
import type { Schema, SchemaDraft } from '@cfworker/json-schema';
import { escapeName, findOversize } from '@gemini-mcp/core/internal';

type JsonObject = Readonly<Record<string, unknown>>;

/** The time that an untrusted schema may block this process. An honest one takes a hundredth of it. */
const maxCheckMs = 250;

const limits = { maxValues: 20_000, maxCharacters: 400_000, maxDepth: 100 };
const maxProblems = 5;
const maxProblemCharacters = 200;

/**
 * Validates a value, such as a call's arguments or a result's structured content, against a server's schema. Returns the mistakes in words for
 * Gemini; empty if the value fits. Also empty for a schema that is invalid or takes too long: the server validates too. Fetches nothing. A value of
 * excessive size or depth does not fit.
 */
export async function findSchemaViolations(schemaOfServer: JsonObject, value: JsonObject): Promise<readonly string[]> {
  const excess = findOversize(value, limits);
  if (excess !== null) {
    return [`The whole: it ${excess}.`];
  }
  if (findOversize(schemaOfServer, limits) !== null) {
    return [];
  }
  const { validate } = await import('@cfworker/json-schema');
  // The validator writes into the schemas it reads.
  const schema: Schema = structuredClone(schemaOfServer);
  const checked = runInTime(
    () => validate(value, schema, draftOf(schemaOfServer), undefined, false).errors,
    maxCheckMs,
  );
  // Each error of a part brings one for each enclosing part: keep the innermost.
  const errors = (checked?.result ?? []).filter(({ keyword }) => !around.has(keyword));
  const problems = errors.map(({ instanceLocation, error }) => {
    const text = `${instanceLocation.replace(/^#\/?/, '') || 'The whole'}: ${error}`;
    return escapeName(text.slice(0, maxProblemCharacters));
  });
  const all =
    problems.length === 0 && checked?.result.length ? ['The whole does not fit the schema of the tool.'] : problems;
  return [...new Set(all)].slice(0, maxProblems);
}

const around: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
]);

function draftOf({ $schema }: JsonObject): SchemaDraft {
  const name = typeof $schema === 'string' ? $schema : '';
  if (name.includes('draft-04')) {
    return '4';
  }
  return /draft-0[67]/.test(name) ? '7' : name.includes('2019-09') ? '2019-09' : '2020-12';
}

/** An empty realm of its own. It evaluates nothing: it only makes the work interruptible. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/**
 * Runs synchronous work on untrusted input. Returns null if it throws or takes longer than `maxMs`. V8 can also stop a regular expression that
 * backtracks endlessly, which a JavaScript timer cannot.
 */
function runInTime<Result>(work: () => Result, maxMs: number): { readonly result: Result } | null {
  let done: { readonly result: Result } | null = null;
  realm.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(realm, { timeout: maxMs });
  } catch {
    return null;
  }
  return done;
}
