import type { FailureWords } from '@gemini-mcp/core';
import type { ToolContext } from '../tool.ts';

/**
 * Words on failures, or what gives them for a client by the name by which it introduced itself: null where it gave none. The name is
 * the word of a stranger: compare it with names that you know, and never show it.
 */
export type ClientFailureWords = FailureWords | ((clientName: string | null) => FailureWords);

/** The words for the client of this call. */
export function failureWordsFor(
  words: ClientFailureWords | undefined,
  { clientName }: Pick<ToolContext, 'clientName'>,
): FailureWords | undefined {
  return typeof words === 'function' ? words(clientName) : words;
}
