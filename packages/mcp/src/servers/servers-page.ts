import { formatServers, type ServersView } from '@gemini-mcp/core/internal';
import type { ResourceShelf } from '../resources/resource-shelf.ts';

export type ServersPageOptions = {
  /** How the other servers of the reader are. */
  readonly readView: (signal: AbortSignal) => Promise<ServersView>;
  /** What of them the reader is not offered, and why: a line each. */
  readonly readLeftOut: () => Promise<readonly string[]>;
};

const page = {
  uri: 'gemini://servers',
  name: 'servers',
  title: "The user's other MCP servers",
  description: 'How each of them is, what it offers, its last error and what to do.',
  mimeType: 'text/plain',
};

/** The page on the state of other servers. It is listed where there are any. */
export function createServersPage({ readView, readLeftOut }: ServersPageOptions): ResourceShelf {
  return {
    templates: [],
    list: async ({ signal }) => {
      const { servers, problems } = await readView(signal);
      return servers.length + problems.length === 0 ? [] : [page];
    },
    read: async (uri, { signal }) => {
      if (uri !== page.uri) {
        return null;
      }
      const view = await readView(signal);
      const leftOut = await readLeftOut();
      const isEmpty = view.servers.length === 0 && view.problems.length === 0;
      const none = isEmpty ? 'No other servers are configured.\n' : '';
      const told =
        leftOut.length === 0 ? '' : `\nNot offered to clients:\n${leftOut.map((line) => `  ${line}\n`).join('')}`;
      return { mimeType: page.mimeType, text: `${none}${formatServers(view)}${told}` };
    },
  };
}
