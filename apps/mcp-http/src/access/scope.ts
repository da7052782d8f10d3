import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';

export function isScope(word: string): word is Scope {
  return scopes.some((scope) => scope === word);
}

/** In the order in which they are declared, each once. */
export function inOrder(given: Iterable<Scope>): readonly Scope[] {
  const wanted = new Set(given);
  return scopes.filter((scope) => wanted.has(scope));
}
