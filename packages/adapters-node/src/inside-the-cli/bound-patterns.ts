import { type PreloadPiece, preloadPiece } from './preload.ts';
import { weighPattern } from './weigh-pattern.ts';

export type PatternBounds = {
  /** Longest time that one match may take, by the clock: it holds the thread for so long. */
  readonly matchMs: number;
  /** Longest time of the processor that one expression may take in a window, in addition to what any takes to read its texts. */
  readonly windowBudgetMs: number;
  readonly windowMs: number;
};

const defaultBounds: PatternBounds = { matchMs: 150, windowBudgetMs: 300, windowMs: 10_000 };

/**
 * Bounds the time of every regular expression that the process of the CLI makes of a text: patterns of the model in a search
 * and in lists of files, and lines of ignore files. All of them run on the one thread that all sessions of a process share,
 * and an expression that backtracks holds it for as long as it likes. One that takes too long throws, which a tool tells
 * the model; while the CLI walks through directories, where an error would end the process, it matches nothing.
 */
export function boundPatternsPiece(bounds: PatternBounds = defaultBounds): PreloadPiece {
  return preloadPiece(boundPatterns, bounds, { weighPattern, createBoundMatch, createAccount });
}

function boundPatterns(
  requireModule: NodeJS.Require,
  bounds: PatternBounds,
  parts: {
    readonly weighPattern: typeof weighPattern;
    readonly createBoundMatch: typeof createBoundMatch;
    readonly createAccount: typeof createAccount;
  },
): void {
  const Plain = globalThis.RegExp;
  const match = parts.createBoundMatch(requireModule, bounds, parts.createAccount(bounds));
  const bind = (expression: RegExp): RegExp => {
    const weight = parts.weighPattern(expression.source);
    const spending = { ms: 0, sinceMs: 0, startedAtMs: 0, measuredAtMs: null };
    const exec = (text: unknown): RegExpExecArray | null => match({ expression, weight, spending }, String(text));
    return Object.defineProperty(expression, 'exec', { value: exec, configurable: true, writable: true });
  };
  // A proxy, so that literal expressions stay instances of the class of that name.
  globalThis.RegExp = new Proxy(Plain, {
    construct: (target, words, made) =>
      bind(Reflect.construct(target, words, made === globalThis.RegExp ? target : made)),
    apply: (target, self, words) => {
      const made: RegExp = Reflect.apply(target, self, words);
      return made === words[0] ? made : bind(made);
    },
  });
}

/** What an expression has used of its time in this window, and when its last match began. */
type Spending = {
  ms: number;
  sinceMs: number;
  startedAtMs: number;
  /** The processor's time of the process then; null where it was not asked for. */
  measuredAtMs: number | null;
};

type Account = {
  /** Whether the expression may match once more. */
  readonly open: (spending: Spending, isWatched: boolean) => boolean;
  /** An expression that goes through its texts once is charged nothing, however many they are. */
  readonly charge: (spending: Spending, characters: number, isOverTime: boolean) => void;
};

/**
 * Keeps what expressions use. Where the machine is busy the clock runs on while a match waits for the processor, so that what
 * counts is the processor's time; but to ask for that costs as much as many matches do, so that the clock is believed for the
 * first of an expression's time. A match that was stopped by the clock counts by the clock. Runs inside the CLI.
 */
function createAccount({ windowBudgetMs, windowMs }: PatternBounds): Account {
  const { performance } = globalThis;
  const believedMs = 50;
  const processorMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const readingMs = (characters: number): number => 0.002 + characters * 0.000_02;
  return {
    open: (spending, isWatched) => {
      const nowMs = performance.now();
      if (nowMs - spending.sinceMs > windowMs) {
        Object.assign(spending, { ms: 0, sinceMs: nowMs });
      }
      spending.startedAtMs = nowMs;
      spending.measuredAtMs = isWatched || spending.ms >= believedMs ? processorMs() : null;
      return spending.ms < windowBudgetMs;
    },
    charge: (spending, characters, isOverTime) => {
      const { startedAtMs, measuredAtMs } = spending;
      const passedMs = performance.now() - startedAtMs;
      const usedMs = measuredAtMs === null ? believedMs : processorMs() - measuredAtMs;
      spending.ms += Math.max(0, (isOverTime ? passedMs : Math.min(passedMs, usedMs)) - readingMs(characters));
    },
  };
}

type BoundExpression = {
  readonly expression: RegExp;
  readonly weight: ReturnType<typeof weighPattern>;
  readonly spending: Spending;
};

/** Matches within the bounds. Runs inside the CLI. */
function createBoundMatch(
  requireModule: NodeJS.Require,
  { matchMs }: PatternBounds,
  account: Account,
): (bound: BoundExpression, text: string) => RegExpExecArray | null {
  const { Script }: typeof import('node:vm') = requireModule('node:vm');
  const plainExec = RegExp.prototype.exec;
  // Up to this many steps a match cannot take long, and needs no watch; a watch costs some 0.2 ms.
  const quickSteps = 5_000_000;
  const watched: { run: () => RegExpExecArray | null } = { run: () => null };
  const key = Symbol.for('gemini-mcp.watched-match');
  Object.defineProperty(globalThis, key, { value: watched });
  const script = new Script(`globalThis[Symbol.for('gemini-mcp.watched-match')].run()`);
  const isQuick = ({ repetitions, choices, isNested }: BoundExpression['weight'], length: number): boolean => {
    let steps = length * 2 ** (isNested ? length + choices : choices);
    for (let repetition = 1; repetition <= repetitions; repetition += 1) {
      steps *= length / (repetition + 1);
    }
    return steps <= quickSteps;
  };
  const refuse = (source: string): null => {
    const error = new Error(`The pattern ${source.slice(0, 100)} takes too long to match: use a simpler one.`);
    // Where directories are walked through, the error would not be caught.
    if (/\b(?:testRegExp|GlobWalker|GlobStream|Minimatch)\b/.test(error.stack ?? '')) {
      return null;
    }
    throw error;
  };
  return ({ expression, weight, spending }, text) => {
    const isWatched = !isQuick(weight, text.length);
    if (!account.open(spending, isWatched)) {
      return refuse(expression.source);
    }
    let isOverTime = false;
    try {
      if (!isWatched) {
        return plainExec.call(expression, text);
      }
      watched.run = () => plainExec.call(expression, text);
      return script.runInThisContext({ timeout: matchMs }) as RegExpExecArray | null;
    } catch (error) {
      isOverTime = Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      if (isOverTime) {
        return refuse(expression.source);
      }
      throw error;
    } finally {
      account.charge(spending, text.length, isOverTime);
    }
  };
}
