import { createContext, Script } from 'node:vm';

/** What came of the work. Null where it took too long, called itself too deeply or threw: its input is at fault then. */
export type Bounded<Result> = { readonly result: Result } | null;

/** An own, empty realm: nothing of the work is evaluated in it, it only is what can be stopped. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/** On a busy machine the time can pass without the work having had it. */
const maxTries = 4;

/**
 * Runs synchronous work on a stranger's input, and stops it after `maxMs` wherever it is: V8 can also stop an expression that
 * backtracks without end, which no timer of JavaScript can. The work runs again, from its beginning, if it was stopped after
 * less than half of that in processor time. Nothing else runs meanwhile, so a stranger can hold up all others for `maxMs` of
 * processor time.
 */
export function runBounded<Result>(work: () => Result, maxMs: number): Bounded<Result> {
  for (let tries = 1; ; tries += 1) {
    const before = process.cpuUsage();
    const end = tryBounded(work, maxMs);
    const { user, system } = process.cpuUsage(before);
    const hadTime = (user + system) / 1_000 >= maxMs / 2;
    if (end !== 'stopped' || hadTime || tries === maxTries) {
      return end === 'stopped' ? null : end;
    }
  }
}

function tryBounded<Result>(work: () => Result, maxMs: number): Bounded<Result> | 'stopped' {
  let done: Bounded<Result> = null;
  realm.work = () => {
    done = { result: work() };
  };
  try {
    script.runInContext(realm, { timeout: maxMs });
  } catch (error) {
    // Not `instanceof Error`: the error can be of the other realm.
    return Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'stopped' : null;
  }
  return done;
}
