import type { ModelCatalog, ModelList } from '../ports/model-catalog.ts';

/** A catalog with scripted answers; with a list that never settles, it does not answer. */
export class ScriptedModelCatalog implements ModelCatalog {
  readonly #script: () => ModelList | Promise<ModelList>;
  #asked = 0;

  constructor(script: () => ModelList | Promise<ModelList>) {
    this.#script = script;
  }

  /** Number of requests. */
  get asked(): number {
    return this.#asked;
  }

  list(signal: AbortSignal): Promise<ModelList> {
    this.#asked += 1;
    return new Promise((resolve, reject) => {
      const end = (list: ModelList): void => {
        signal.removeEventListener('abort', cancel);
        resolve(list);
      };
      const cancel = (): void => end({ ok: false, failure: { kind: 'cancelled' } });
      if (signal.aborted) {
        cancel();
        return;
      }
      signal.addEventListener('abort', cancel, { once: true });
      Promise.resolve(this.#script()).then(end, reject);
    });
  }
}
