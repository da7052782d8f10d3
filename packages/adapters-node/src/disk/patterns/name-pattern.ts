/** A set of characters, as in `[a-z]`. Bounds are code points, both inclusive. */
export type CharacterClass = {
  readonly kind: 'class';
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: number, to: number])[];
};

/** `@(a|b)`, `?(a|b)`, `*(a|b)`, `+(a|b)`, `!(a|b)`; braces are `one`. */
export type Group = {
  readonly kind: 'group';
  readonly repeats: 'one' | 'optional' | 'any' | 'some' | 'none';
  readonly alternatives: readonly NamePattern[];
};

export type NameElement =
  /** One character (a code point). */
  | { readonly kind: 'literal'; readonly character: string }
  /** `?` */
  | { readonly kind: 'one' }
  /** `*` */
  | { readonly kind: 'run' }
  | CharacterClass
  | Group;

/** The pattern of one path segment. */
export type NamePattern = readonly NameElement[];

/** The number of elements in a pattern, including those inside groups. */
export function countElements(pattern: NamePattern): number {
  return pattern.reduce(
    (count, element) => count + 1 + (element.kind === 'group' ? countElements(element.alternatives.flat()) : 0),
    0,
  );
}

/** Above this, listing every text costs more than matching. */
const maxTexts = 64;

/** Every text that a pattern without wildcards stands for: `a{b,c}` is `ab` and `ac`. Null for a pattern with wildcards. */
export function literalTexts(pattern: NamePattern): readonly string[] | null {
  let texts = [''];
  for (const element of pattern) {
    const endings = textsOf(element);
    if (endings === null || texts.length * endings.length > maxTexts) {
      return null;
    }
    texts = texts.flatMap((text) => endings.map((ending) => text + ending));
  }
  return texts;
}

function textsOf(element: NameElement): readonly string[] | null {
  if (element.kind === 'literal') {
    return [element.character];
  }
  if (element.kind !== 'group' || element.repeats !== 'one') {
    return null;
  }
  const texts = element.alternatives.map(literalTexts);
  return texts.every((some) => some !== null) ? texts.flat() : null;
}
