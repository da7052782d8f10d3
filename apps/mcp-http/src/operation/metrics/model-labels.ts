/** Models that may have answered in addition to those of the chain before no more of them are told apart. */
const maxFurtherModels = 20;

/** Callers choose names of models as they like: only those that there are become labels. */
export class ModelLabels {
  readonly #known: Set<string>;
  readonly #maxKnown: number;

  constructor(chain: readonly string[]) {
    this.#known = new Set(chain);
    this.#maxKnown = this.#known.size + maxFurtherModels;
  }

  /** The model has done something, and so there is one of that name. */
  learn(model: string): void {
    if (this.#known.size < this.#maxKnown) {
      this.#known.add(model);
    }
  }

  /** The name itself where it is known, else `other`. */
  labelOf(model: string): string {
    return this.#known.has(model) ? model : 'other';
  }
}
