import { type PreloadPiece, preloadPiece } from './preload.ts';
import { weighPattern } from './weigh-pattern.ts';

export type PatternBounds = {
  /** Longest time that one match may take. */
  readonly matchMs: number;
  /** Longest time that one expression may take in a window, in addition to what any takes to read its texts. */
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
  return preloadPiece(boundPatterns, bounds, { weighPattern, createBoundMatch });
}

function boundPatterns(
  requireModule: NodeJS.Require,
  bounds: PatternBounds,
  parts: { readonly weighPattern: typeof weighPattern; readonly createBoundMatch: typeof createBoundMatch },
): void {
  const Plain = globalThis.RegExp;
  const match = parts.createBoundMatch(requireModule, bounds);
  const bind = (expression: RegExp): RegExp => {
    const weight = parts.weighPattern(expression.source);
    const spending = { ms: 0, sinceMs: 0 };
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

type BoundExpression = {
  readonly expression: RegExp;
  readonly weight: ReturnType<typeof weighPattern>;
  readonly spending: { ms: number; sinceMs: number };
};

/** Matches within the bounds. Runs inside the CLI. */
function createBoundMatch(
  requireModule: NodeJS.Require,
  { matchMs, windowBudgetMs, windowMs }: PatternBounds,
): (bound: BoundExpression, text: string) => RegExpExecArray | null {
  const { Script }: typeof import('node:vm') = requireModule('node:vm');
  const { performance } = globalThis;
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
  const readingMs = (characters: number): number => 0.002 + characters * 0.000_02;
  const isSpent = (spending: BoundExpression['spending'], nowMs: number): boolean => {
    if (nowMs - spending.sinceMs > windowMs) {
      Object.assign(spending, { ms: 0, sinceMs: nowMs });
    }
    return spending.ms >= windowBudgetMs;
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
    const startedAtMs = performance.now();
    if (isSpent(spending, startedAtMs)) {
      return refuse(expression.source);
    }
    try {
      if (isQuick(weight, text.length)) {
        return plainExec.call(expression, text);
      }
      watched.run = () => plainExec.call(expression, text);
      return script.runInThisContext({ timeout: matchMs }) as RegExpExecArray | null;
    } catch (error) {
      if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
        return refuse(expression.source);
      }
      throw error;
    } finally {
      // An expression that goes through its texts once is charged nothing, however many they are.
      spending.ms += Math.max(0, performance.now() - startedAtMs - readingMs(text.length));
    }
  };
}
