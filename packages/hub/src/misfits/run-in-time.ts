import { createContext, Script } from 'node:vm';

/** An own, empty realm: nothing of the work is evaluated in it, it only is what can be stopped. */
const realm: { work: () => void } = Object.assign(createContext({}), { work: () => undefined });
const script = new Script('work()');

/**
 * Runs synchronous work on a stranger's input; null where it takes longer than `maxMs` or throws. V8 can also stop an expression that
 * backtracks without end, which no timer of JavaScript can.
 */
export function runInTime<Result>(work: () => Result, maxMs: number): { readonly result: Result } | null {
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
