import { fitInputSchema } from '../input-schema/fit-input-schema.ts';
import type { Sha256 } from '../lent-name.ts';

/** Why Gemini cannot have tools. A schema is made fit in some milliseconds, and is looked at with each view: once is enough. */
export class SetAsideReasons {
  readonly #known = new WeakMap<object, string | null>();

  /** A sentence for a user; null for a schema that can be made fit. */
  of(inputSchema: Readonly<Record<string, unknown>>, sha256: Sha256): string | null {
    const known = this.#known.get(inputSchema);
    if (known !== undefined) {
      return known;
    }
    const fit = fitInputSchema(inputSchema, sha256);
    const reason = fit.fits ? null : `The schema of its arguments ${fit.reason}.`;
    this.#known.set(inputSchema, reason);
    return reason;
  }
}
