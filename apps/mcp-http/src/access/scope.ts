/** What a token may be good for. A call that uses files needs `gemini:files` in addition to the scope of its tool. */
export const scopes = ['gemini:query', 'gemini:chat', 'gemini:search', 'gemini:files'] as const;

export type Scope = (typeof scopes)[number];

export function isScope(word: string): word is Scope {
  return scopes.some((scope) => scope === word);
}

/** The given ones in the order above, each once. */
export function inOrder(given: Iterable<Scope>): readonly Scope[] {
  const wanted = new Set(given);
  return scopes.filter((scope) => wanted.has(scope));
}
