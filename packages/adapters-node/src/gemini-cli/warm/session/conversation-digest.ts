import { createHash } from 'node:crypto';
import type { ConversationTurn, RunRequest } from '@gemini-mcp/core';

export type Conversation = {
  readonly turns: readonly ConversationTurn[];
  /** What else a session of it remembers: `conversationScope`. */
  readonly scope: string;
};

/**
 * Names a conversation by all that was said in it: a session that was kept under this name holds exactly these turns, so that
 * a caller that brings them learns nothing from it. Each text is preceded by its length, and is read by its UTF-16 units, since in
 * UTF-8 all halves of surrogate pairs are one: no two lists of turns read alike.
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
  readonly lends: boolean;
};

/**
 * Names what a session may remember besides the turns: only requests of the same scope go on with it; null if none may. Results of lent
 * tools are for the same owner, whose tools still reach the same.
 */
export function conversationScope({ request, lends }: ScopedRequest): string | null {
  if (!lends) {
    return '';
  }
  const { owner = null, model, toolProviders = [] } = request;
  const reaches = toolProviders.map(({ cacheKey }) => cacheKey);
  return reaches.includes(undefined) ? null : JSON.stringify({ owner, model, reaches });
}
