import { decideByRules, type IgnoreFile, type IgnoreSubject, maxIgnoreCost } from './ignore-file.ts';

/** The ignore files of one directory. */
export type IgnoreLevel = {
  /** The number of names from the top to the directory. */
  readonly depth: number;
  /** `.gitignore` before `.git/info/exclude`: the first with a matching rule decides. */
  readonly git: readonly IgnoreFile[];
  readonly gemini: readonly IgnoreFile[];
};

/** The ignore files that apply in one directory: its own and those of its parents. Immutable. */
export class IgnoreRules {
  static readonly none: IgnoreRules = new IgnoreRules([], 0);

  readonly #levels: readonly IgnoreLevel[];
  readonly #cost: number;

  private constructor(levels: readonly IgnoreLevel[], cost: number) {
    this.#levels = levels;
    this.#cost = cost;
  }

  /** Adds the files of a subdirectory. Returns null if the rules together are so many or so intricate that deciding could take long. */
  with(level: IgnoreLevel): IgnoreRules | null {
    const cost = [...level.git, ...level.gemini].reduce((sum, file) => sum + file.cost, this.#cost);
    if (cost === this.#cost) {
      return this;
    }
    return cost > maxIgnoreCost ? null : new IgnoreRules([level, ...this.#levels], cost);
  }

  /** Follows `.geminiignore` files, and git's rules if those do not match. */
  ignores(subject: IgnoreSubject): boolean {
    return this.#decide('gemini', subject) ?? this.#decide('git', subject) ?? false;
  }

  /** The deepest file with a rule for the subject decides. */
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
