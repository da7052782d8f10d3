import type { Sha256 } from '../../ports/sha256.ts';

/** Google's documentation of `FunctionDeclaration` requires argument names of this form. */
const plain = /^[A-Za-z_]\w{0,63}$/;

const maxReadable = 50;
const digestCharacters = 12;

/** The depth of a call's arguments up to which names are restored. */
const maxDepth = 200;

/** Replaces argument names that the Gemini API does not accept, such as `per-page` and `filter[name]`. */
export class ArgumentNames {
  readonly #sha256: Sha256;
  readonly #originals = new Map<string, string>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** The original of each replaced name. */
  get originals(): ReadonlyMap<string, string> {
    return this.#originals;
  }

  /** Stable for each name. Different names of a schema get different names, barring a collision of digests. */
  nameOf(original: string): string {
    if (plain.test(original)) {
      return original;
    }
    const readable = original
      .slice(0, maxReadable)
      .replace(/\W+/g, '_')
      .replace(/^(?=\d)/, '_');
    const name = `${readable}_${this.#sha256(JSON.stringify(original)).slice(0, digestCharacters)}`;
    this.#originals.set(name, original);
    return name;
  }
}

/** The arguments of a call with the server's own names, at any depth. */
export function restoreNames(
  args: Readonly<Record<string, unknown>>,
  originals: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  return originals.size === 0 ? args : Object.fromEntries(restoredEntries(args, originals, 0));
}

function restoredEntries(
  value: object,
  originals: ReadonlyMap<string, string>,
  depth: number,
): readonly (readonly [string, unknown])[] {
  return Object.entries(value).map(([name, member]) => [
    originals.get(name) ?? name,
    restored(member, originals, depth),
  ]);
}

function restored(value: unknown, originals: ReadonlyMap<string, string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((item) => restored(item, originals, depth + 1))
    : Object.fromEntries(restoredEntries(value, originals, depth + 1));
}
