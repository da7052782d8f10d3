import { afterAtom, scanBraces } from './brace-scan.ts';

/** Each branch is looked for separately. */
const maxBranches = 64;

/**
 * Writes a pattern whose braces contain separators as several patterns without them: `{a/b,c}/d` is `a/b/d` and `c/d`.
 * Other braces stay as they are. Null for more than 64 patterns.
 */
export function expandPathBraces(pattern: string): readonly string[] | null {
  const expanded: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const parts = expandFirst(Array.from(next));
    if (parts === null) {
      expanded.push(next);
    } else {
      waiting.unshift(...parts);
    }
    if (expanded.length + waiting.length > maxBranches) {
      return null;
    }
  }
  return expanded;
}

function expandFirst(characters: readonly string[]): readonly string[] | null {
  for (let at = 0; at < characters.length; at = afterAtom(characters, at)) {
    const braces = characters[at] === '{' ? scanBraces(characters, at) : null;
    if (braces !== null && braces.parts.length > 1 && braces.parts.some((part) => part.includes('/'))) {
      const before = characters.slice(0, at).join('');
      const after = characters.slice(braces.close + 1).join('');
      return braces.parts.map((part) => before + part + after);
    }
  }
  return null;
}
