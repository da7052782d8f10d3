import { createHash } from 'node:crypto';
import type { ConversationTurn } from '@gemini-mcp/core';

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
