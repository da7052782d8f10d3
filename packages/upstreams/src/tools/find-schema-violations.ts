import { createContext, Script } from 'node:vm';
import type { Schema, SchemaDraft } from '@cfworker/json-schema';
import { escapeName, findOversize } from '@gemini-mcp/core/internal';

type JsonObject = Readonly<Record<string, unknown>>;

/** How long a stranger's schema may keep this process from all else. One that is no attack takes a hundredth of it. */
const maxCheckMs = 250;

const limits = { maxValues: 20_000, maxCharacters: 400_000, maxDepth: 100 };
const maxProblems = 5;
const maxProblemCharacters = 200;

/**
 * What is wrong with a value by a schema of a server, such as the arguments of a call or its structured content, in words for Gemini; none
 * where it fits. A schema that cannot be applied, or not in time, finds nothing: the server does. Nothing is fetched. A value beyond any reason
 * does not fit.
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
  // The validator writes into the schemas that it reads.
  const schema: Schema = structuredClone(schemaOfServer);
  const checked = runInTime(
    () => validate(value, schema, draftOf(schemaOfServer), undefined, false).errors,
    maxCheckMs,
  );
  // An error of a part comes with one of each part around it: the innermost say what is wrong.
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

/** An own, empty realm: nothing of the work is evaluated in it, it only is what can be stopped. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/**
 * Runs synchronous work on a stranger's input; null where it takes longer than `maxMs` or throws. V8 can also stop an expression that
 * backtracks without end, which no timer of JavaScript can.
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
