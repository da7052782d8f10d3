import type { SessionStore } from '@gemini-mcp/core';
import { sessionLine } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { RefusalReason, Tool, ToolOutcome } from '../surface/tool.ts';
import { chatDelete } from './tool-declarations.ts';

const description = `Delete a chat session for good: erases all that was said in it.`;

const newestSessions = 5;

export type ChatDeleteToolOptions = {
  readonly sessions: Pick<SessionStore, 'delete' | 'list'>;
};

/**
 * Creates the tool `chat-delete`, which deletes one conversation by its id. A separate tool, because annotations cover a whole tool:
 * clients ask before every call of a tool that may destroy something.
 */
export function createChatDeleteTool({ sessions }: ChatDeleteToolOptions): Tool {
  const input = z.strictObject({
    sessionId: z.uuid({ error: 'must be a session id as chat returns it, a UUID' }).describe('From chat.'),
  });
  const tool: Tool<typeof input> = {
    ...chatDelete,
    description,
    input,
    run: async ({ sessionId }, { owner, signal }) => {
      const result = await sessions.delete(owner, sessionId, signal);
      if (result.deleted) {
        const text = 'The conversation is deleted. A running reply is still answered, but not saved.';
        return { text, isError: false };
      }
      return result.reason === 'unknown'
        ? refused('unknown-session', await explainUnknown(sessions, owner, signal))
        : refused('not-deleted', [`The conversation could not be deleted: ${result.detail}. It is as it was.`]);
    },
  };
  return tool;
}

async function explainUnknown(
  sessions: Pick<SessionStore, 'list'>,
  owner: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const newest = await sessions.list(owner, newestSessions, signal);
  return [
    'Unknown conversation: it was deleted, has expired, or the id is wrong.',
    ...(newest.length === 0
      ? ['You have no conversations.']
      : ['The newest:', ...newest.map((one) => `  - ${sessionLine(one)}`)]),
  ];
}

function refused(reason: RefusalReason, lines: readonly string[]): ToolOutcome {
  return { text: lines.join('\n'), isError: true, detail: { type: 'refused', reason } };
}
