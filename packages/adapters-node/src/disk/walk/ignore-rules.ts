import { decideByRules, type IgnoreFile, type IgnoreSubject, maxIgnoreCost } from './ignore-file.ts';

/** The ignore files of one directory. */
export type IgnoreLevel = {
  /** How many names lead from the top to the directory. */
  readonly depth: number;
  /** `.gitignore` before `.git/info/exclude`: the first that has a rule decides. */
  readonly git: readonly IgnoreFile[];
  readonly gemini: readonly IgnoreFile[];
};

/** The ignore files that hold in one directory: its own and those above it. Never changes. */
export class IgnoreRules {
  static readonly none: IgnoreRules = new IgnoreRules([], 0);

  readonly #levels: readonly IgnoreLevel[];
  readonly #cost: number;

  private constructor(levels: readonly IgnoreLevel[], cost: number) {
    this.#levels = levels;
    this.#cost = cost;
  }

  /** Adds the files of a directory below. Null when all together are so many or so intricate that deciding could take long. */
  with(level: IgnoreLevel): IgnoreRules | null {
    const cost = [...level.git, ...level.gemini].reduce((sum, file) => sum + file.cost, this.#cost);
    if (cost === this.#cost) {
      return this;
    }
    return cost > maxIgnoreCost ? null : new IgnoreRules([level, ...this.#levels], cost);
  }

  /** What `.geminiignore` files say, or else what git would say. */
  ignores(subject: IgnoreSubject): boolean {
    return this.#decide('gemini', subject) ?? this.#decide('git', subject) ?? false;
  }

  /** The deepest file that has a rule for the subject decides. */
  #decide(kind: 'git' | 'gemini', subject: IgnoreSubject): boolean | null {
    for (const level of this.#levels) {
      for (const file of level[kind]) {
        const decision = decideByRules(file.rules, level.depth, subject);
        if (decision !== null) {
          return decision;
        }
      }
    }
    return null;
  }
}
