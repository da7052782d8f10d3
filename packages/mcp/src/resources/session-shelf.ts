import type { SessionStore, SessionSummary } from '@gemini-mcp/core';
import { countOf } from '@gemini-mcp/core/internal';
import type { Completer } from '../completion/completer.ts';
import type { SurfaceContext } from '../surface-context.ts';
import { formatTime, markdown, quoteTitle } from './markdown.ts';
import { presentConversation } from './present-conversation.ts';
import type { ResourceEntry, ResourceShelf, ResourceText } from './resource-shelf.ts';

const listUri = 'gemini://sessions';

/** As we mint them: nothing else is ever looked for, so that no name reaches a file system that could mean anything there. */
const sessionUri = /^gemini:\/\/sessions\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A client shows the list whole. */
const maxListed = 20;
const maxShown = 200;

const template = {
  uriTemplate: `${listUri}/{id}`,
  name: 'session',
  title: 'Conversation with Gemini',
  description: 'What was said in one conversation, by its id',
  mimeType: 'text/markdown',
} as const;

const listEntry: ResourceEntry = {
  uri: listUri,
  name: 'sessions',
  title: 'Conversations with Gemini',
  description: 'Your conversations, the one used last first, with the ids by which chat-reply goes on',
  mimeType: 'text/markdown',
};

/** The conversations of the owner who asks: a list of them, and each as Markdown. */
export function createSessionShelf(sessions: Pick<SessionStore, 'list' | 'load'>): ResourceShelf {
  const completeId: Completer = async (value, { owner, signal }) => {
    const found = await sessions.list(owner, maxShown, signal);
    return found.map(({ id }) => id).filter((id) => id.startsWith(value.toLowerCase()));
  };
  return {
    templates: [{ ...template, complete: { id: completeId } }],
    list: async ({ owner, signal }) => {
      const newest = await sessions.list(owner, maxListed, signal);
      return [listEntry, ...newest.map(presentEntry)];
    },
    read: (uri, context) => readSession(sessions, uri, context),
  };
}

async function readSession(
  sessions: Pick<SessionStore, 'list' | 'load'>,
  uri: string,
  { owner, signal }: SurfaceContext,
): Promise<ResourceText | null> {
  if (uri === listUri) {
    return presentList(await sessions.list(owner, maxShown, signal));
  }
  const id = sessionUri.exec(uri)?.[1];
  const stored = id === undefined ? null : await sessions.load(owner, id, signal);
  return stored === null ? null : presentConversation(stored.session);
}

function presentEntry({ id, title, turns, updatedAtMs }: SessionSummary): ResourceEntry {
  return {
    uri: `${listUri}/${id}`,
    name: `session ${id}`,
    title: `Conversation ${quoteTitle(title)}`,
    description: `${countOf(turns, 'turn')}, used last ${formatTime(updatedAtMs)}`,
    mimeType: 'text/markdown',
  };
}

function presentList(sessions: readonly SessionSummary[]): ResourceText {
  const lines = sessions.map(
    ({ id, title, turns, updatedAtMs }) =>
      `- \`${id}\` ${formatTime(updatedAtMs)}, ${countOf(turns, 'turn')}, begins ${quoteTitle(title)}`,
  );
  return markdown(
    '# Conversations with Gemini',
    lines.length === 0
      ? 'There are none. The tool chat begins one.'
      : 'The one used last comes first. The tool chat-reply goes on with one by its id.',
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  );
}
