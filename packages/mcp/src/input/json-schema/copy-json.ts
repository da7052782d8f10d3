export type JsonBounds = {
  /** Limits the text, in UTF-16 code units. */
  readonly maxCharacters: number;
  /** Limits how deep objects and arrays nest. */
  readonly maxDepth: number;
};

/** Clients read each schema of a list of tools into their context, whole. */
export const schemaBounds: JsonBounds = { maxCharacters: 100_000, maxDepth: 64 };

export type CopiedJson =
  | { readonly isCopied: true; readonly copy: unknown; readonly text: string }
  | { readonly isCopied: false /** A predicate on the value, such as "is not JSON". */; readonly problem: string };

/** Copies a value as JSON, within limits. The copy has no cycles and no getters, and shares nothing with the original. */
export function copyJson(value: unknown, { maxCharacters, maxDepth }: JsonBounds): CopiedJson {
  const text = stringify(value);
  if (text === undefined) {
    return { isCopied: false, problem: 'is not JSON' };
  }
  if (text.length > maxCharacters) {
    return { isCopied: false, problem: `is longer than ${maxCharacters} characters` };
  }
  if (depthOf(text) > maxDepth) {
    return { isCopied: false, problem: `is nested more than ${maxDepth} levels deep` };
  }
  return { isCopied: true, copy: JSON.parse(text), text };
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle, a BigInt, or nesting deeper than the stack.
    return undefined;
  }
}

/** Measures the depth in the text, because recursion cannot walk a value that is too deep. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (token === '{' || token === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (token === '}' || token === ']') {
      depth -= 1;
    }
  }
  return deepest;
}
