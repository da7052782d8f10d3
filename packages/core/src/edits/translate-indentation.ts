/** The indentation that a line has in an old text, and the one that the same line has in the file. */
export type IndentationPair = { readonly old: string; readonly found: string };

/** Null for an indentation of which the pairs say nothing, or more than one thing. */
export type TranslateIndentation = (indentation: string) => string | null;

/**
 * Makes a function from an indentation of a new text to the one that the file is to have, by the lines that the old text and the file share.
 * What goes deeper than those lines is translated by the ratio that they show, such as four spaces for a tab.
 */
export function translateIndentation(pairs: readonly IndentationPair[]): TranslateIndentation {
  if (pairs.every(({ old, found }) => old === found)) {
    return (indentation) => indentation;
  }
  const known = new Map<string, Set<string>>();
  for (const { old, found } of pairs) {
    known.set(old, (known.get(old) ?? new Set()).add(found));
  }
  const deepestFirst = [...known.keys()].sort((one, other) => other.length - one.length);
  const distinct = [...known].flatMap(([old, founds]) => [...founds].map((found) => ({ old, found })));
  const change = changeOf(distinct);
  return (indentation) => {
    const base = deepestFirst.find((old) => indentation.startsWith(old));
    if (base === undefined) {
      return change?.all(indentation) ?? null;
    }
    const [found, ...others] = known.get(base) ?? [];
    const rest = indentation.slice(base.length);
    const deeper = rest === '' ? '' : (change?.more(rest) ?? null);
    return found === undefined || others.length > 0 || deeper === null ? null : found + deeper;
  };
}

/** How the file changes the indentation of the old text: of a whole one that is not known, and of the rest of one that begins like a known one. */
type IndentationChange = { readonly all: TranslateIndentation; readonly more: TranslateIndentation };

const none: TranslateIndentation = () => null;
const same: TranslateIndentation = (indentation) => indentation;

function changeOf(pairs: readonly IndentationPair[]): IndentationChange | null {
  const [first, ...others] = pairs;
  if (first === undefined) {
    return null;
  }
  const steps = stepsOf(pairs);
  if (steps === null || steps.length === 0) {
    return others.length === 0 ? changeOfOne(first) : null;
  }
  if (steps.every(({ old, found }) => old === found)) {
    return { all: shiftBy(pairs), more: same };
  }
  const scale = scaleBy(steps);
  const holdsForAll = pairs.every(({ old, found }) => scale(old) === found);
  return { all: holdsForAll ? scale : none, more: scale };
}

/** The steps from lines to deeper ones, in the old text and in the file; null if these contradict each other. */
function stepsOf(pairs: readonly IndentationPair[]): readonly IndentationPair[] | null {
  const steps = pairs.flatMap((outer) =>
    pairs
      .filter((inner) => inner !== outer && inner.old.startsWith(outer.old))
      .map((inner) =>
        inner.old !== outer.old && inner.found.startsWith(outer.found)
          ? { old: inner.old.slice(outer.old.length), found: inner.found.slice(outer.found.length) }
          : null,
      ),
  );
  const whole = steps.filter((step) => step !== null);
  return whole.length < steps.length ? null : whole;
}

/** A single depth does not tell a text that is moved from one with wider steps, unless the file has tabs for spaces, or the reverse. */
function changeOfOne({ old, found }: IndentationPair): IndentationChange {
  if (old === '' || found === '') {
    const sign = old + found;
    return { all: none, more: (rest) => (sign === '' || isOf(rest, sign.charAt(0)) ? rest : null) };
  }
  const [spaces, tabs] = old.includes(' ') ? [old, found] : [found, old];
  const width = spaces.length / tabs.length;
  const isTelling = isOf(spaces, ' ') && isOf(tabs, '\t') && (width === 4 || width === 8 || tabs.length === 1);
  const scale = isTelling ? scaleBy([{ old, found }]) : none;
  return { all: scale, more: scale };
}

/** For lines that all lie deeper in the file than in the old text, or all less deep, by the same. */
function shiftBy(pairs: readonly IndentationPair[]): TranslateIndentation {
  const [{ old, found } = { old: '', found: '' }] = pairs;
  const added = found.endsWith(old) ? found.slice(0, found.length - old.length) : null;
  if (added !== null && pairs.every((pair) => pair.found === added + pair.old)) {
    return (indentation) => added + indentation;
  }
  const removed = old.endsWith(found) ? old.slice(0, old.length - found.length) : null;
  return removed !== null && pairs.every((pair) => pair.old === removed + pair.found)
    ? (indentation) => (indentation.startsWith(removed) ? indentation.slice(removed.length) : null)
    : none;
}

/** By so many signs for so many others, if all steps agree. */
function scaleBy(steps: readonly IndentationPair[]): TranslateIndentation {
  const [{ old, found } = { old: '', found: '' }] = steps;
  const [from, to] = [old.charAt(0), found.charAt(0)];
  const agrees = steps.every(
    (step) =>
      isOf(step.old, from) && isOf(step.found, to) && step.old.length * found.length === step.found.length * old.length,
  );
  return (indentation) => {
    const count = (indentation.length * found.length) / old.length;
    return agrees && to !== '' && isOf(indentation, from) && Number.isInteger(count) ? to.repeat(count) : null;
  };
}

function isOf(text: string, sign: string): boolean {
  return text === sign.repeat(text.length);
}
