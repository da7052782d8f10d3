import { createContext, Script } from 'node:vm';

/** What came of the work. Null where it took too long, called itself too deeply or threw: its input is at fault then. */
export type Bounded<Result> = { readonly result: Result } | null;

/** An own, empty realm: nothing of the work is evaluated in it, it only is what can be stopped. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/**
 * Runs synchronous work on a stranger's input, and stops it after `maxMs` wherever it is: V8 can also stop an expression that
 * backtracks without end, which no timer of JavaScript can. Nothing else runs meanwhile, so that `maxMs` is how long a stranger can hold
 * up everybody.
 */
export function runBounded<Result>(work: () => Result, maxMs: number): Bounded<Result> {
  let done: Bounded<Result> = null;
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
