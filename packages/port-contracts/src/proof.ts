import { it, type TestContext } from 'vitest';
import { showValue } from './show-value.ts';
import { isAsyncIterable, watchSteps } from './stores/watch-steps.ts';

type Call = { readonly words: string; came: string };

export type ProofOptions = {
  /** The port and the adapter, as failures name them: `Clock "SystemClock"`. */
  readonly subject: string;
  /**
   * How long a test may take before its promise counts as broken by waiting. Default: the milliseconds of the environment variable
   * `GEMINI_MCP_CONTRACT_DEADLINE_MS`, for a busy machine, or 5 s.
   */
  readonly deadlineMs?: number | undefined;
};

export type PromiseOptions = {
  /** How many times the deadline this test may take, for tests with many steps. Default: 1. */
  readonly deadlines?: number;
};

/** Ends a test without anything to check, such as one for a feature that the adapter does not declare. */
class NothingToProve extends Error {}

const usualDeadlineMs = Number(process.env['GEMINI_MCP_CONTRACT_DEADLINE_MS'] ?? 5_000);

/** Vitest's own time-out names no promise, so it comes later than ours. */
const graceMs = 10_000;

/** How many calls a failure shows: the last ones led to it. */
const maxCallsShown = 8;

/**
 * The tests of a suite. A failed test reports the broken promise, the calls of the adapter and their results; one that waits
 * too long also names the call.
 */
export class Proof {
  readonly #subject: string;
  readonly #deadlineMs: number;
  #calls: Call[] = [];

  constructor({ subject, deadlineMs = usualDeadlineMs }: ProofOptions) {
    this.#subject = subject;
    this.#deadlineMs = deadlineMs;
  }

  /** Registers a test. The title is the promise. */
  promise(title: string, body: () => Promise<void>, options: PromiseOptions = {}): void {
    const { deadlines = 1 } = options;
    const prove = async (context: TestContext): Promise<void> => {
      try {
        await this.check(title, body, options);
      } catch (error) {
        context.skip(error instanceof NothingToProve, error instanceof Error ? error.message : '');
        throw error;
      }
    };
    it(title, prove, this.#deadlineMs * deadlines + graceMs);
  }

  /** Rejects with an error that explains how the promise was broken. */
  async check(title: string, body: () => Promise<void>, { deadlines = 1 }: PromiseOptions = {}): Promise<void> {
    this.#calls = [];
    try {
      await this.#inTime(body, this.#deadlineMs * deadlines);
    } catch (error) {
      throw error instanceof NothingToProve ? error : this.#explain(title, error);
    }
  }

  /** Skips a test for this reason. */
  skip(why: string): never {
    throw new NothingToProve(why);
  }

  /** The same adapter. A failure shows its calls. */
  watch<Adapter extends object>(adapter: Adapter): Adapter {
    return new Proxy(adapter, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') {
          return member;
        }
        return (...args: unknown[]): unknown => this.#record(String(name), args, () => member.apply(target, args));
      },
    });
  }

  /** Adds another action of the test to the report, such as the files that it made. */
  note(words: string): void {
    this.#calls.push({ words, came: '' });
  }

  #record(name: string, args: readonly unknown[], work: () => unknown): unknown {
    const call: Call = { words: `${name}(${args.map((arg) => showValue(arg)).join(', ')})`, came: ' → still waiting' };
    this.#calls.push(call);
    const settle = (came: string): void => {
      call.came = ` → ${came}`;
    };
    try {
      const result = work();
      if (isAsyncIterable(result)) {
        return watchSteps(result, settle);
      }
      if (result instanceof Promise) {
        result.then(
          (value) => settle(showValue(value)),
          (reason) => settle(`rejected with ${showValue(reason)}`),
        );
      } else {
        settle(showValue(result));
      }
      return result;
    } catch (error) {
      settle(`threw ${showValue(error)}`);
      throw error;
    }
  }

  async #inTime(work: () => Promise<void>, deadlineMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (): void => reject(new Error(`nothing came within ${deadlineMs} ms`));
      timer = setTimeout(fail, deadlineMs);
    });
    try {
      await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same error with a longer message, so that a reporter still shows the difference. */
  #explain(title: string, cause: unknown): Error {
    const error = cause instanceof Error ? cause : new Error(`rejected with ${showValue(cause)}`);
    const shown = this.#calls.slice(-maxCallsShown).map(({ words, came }) => `  ${words}${came}`);
    const said = error.message;
    const message = [
      `${this.#subject} breaks a promise: ${title}`,
      ...(shown.length === 0 ? [] : ['Calls and their results:', ...shown]),
      `Cause: ${said}`,
    ].join('\n');
    error.stack = error.stack?.replace(said, () => message) ?? message;
    error.message = message;
    return error;
  }
}
