import type { Sha256 } from '../../ports/sha256.ts';

/** Google's documentation of `FunctionDeclaration` asks for such names of arguments. */
const plain = /^[A-Za-z_]\w{0,63}$/;

const maxReadable = 50;
const digestCharacters = 12;

/** How deep the arguments of a call may be for names to be put back. */
const maxDepth = 200;

/** Names of arguments that the Gemini API takes, in the place of those that it does not, such as `per-page` and `filter[name]`. */
export class ArgumentNames {
  readonly #sha256: Sha256;
  readonly #originals = new Map<string, string>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** The original name of each one that was changed. */
  get originals(): ReadonlyMap<string, string> {
    return this.#originals;
  }

  /** The same for the same name. No other name of a schema gives it but by a collision of digests. */
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

/** The arguments of a call with the names that their server knows, at any depth. */
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
