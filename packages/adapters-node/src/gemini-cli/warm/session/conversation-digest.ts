import { createHash } from 'node:crypto';
import type { ConversationTurn, RunRequest } from '@gemini-mcp/core';

export type Conversation = {
  readonly turns: readonly ConversationTurn[];
  /** The scope of a session's memory besides its turns: `conversationScope`. */
  readonly scope: string;
};

/**
 * Names a conversation by all its turns: a session kept under this name holds exactly these turns, so a caller that sends them learns
 * nothing from it. Each text is preceded by its length, and is hashed by its UTF-16 units, since UTF-8 encodes all lone surrogates alike:
 * different lists of turns never produce the same input.
 */
export function conversationDigest({ turns, scope }: Conversation): string {
  const hash = createHash('sha256').update(JSON.stringify(scope));
  for (const { role, text } of turns) {
    hash.update(`\n${role} ${text.length}\n`).update(text, 'utf16le');
  }
  return hash.digest('hex');
}

type ScopedRequest = {
  readonly request: Pick<RunRequest, 'model' | 'owner' | 'toolProviders'>;
  readonly hasModelTools: boolean;
};

/**
 * Names the scope of a session's memory besides its turns: only requests of the same scope continue it; null if none may. Results of
 * model tools are for the same owner with the same tools in reach.
 */
export function conversationScope({ request, hasModelTools }: ScopedRequest): string | null {
  if (!hasModelTools) {
    return '';
  }
  const { owner = null, model, toolProviders = [] } = request;
  const reaches = toolProviders.map(({ cacheKey }) => cacheKey);
  return reaches.includes(undefined) ? null : JSON.stringify({ owner, model, reaches });
}
