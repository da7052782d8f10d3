import type { Clock } from '@gemini-mcp/core';
import type { OtherServers } from '@gemini-mcp/core/internal';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Completer } from '../completion/completer.ts';
import { isJsonObject } from '../request-params.ts';
import type { ResourceEntry, ResourceShelf } from '../resources/resource-shelf.ts';
import { RpcError } from '../rpc-error.ts';
import { describeFailedReply } from './present-reply.ts';
import { readResourceContents } from './read-resource-contents.ts';
import type { CatalogResource } from './server-catalog.ts';
import { createServerCompleter, type ServerCompleterParts } from './server-completer.ts';
import { originOf } from './server-tool.ts';
import { isOfferable, offeredUri, readOfferedUri } from './server-uris.ts';
import { shownName, shownWords } from './shown-words.ts';
import { templateVariables } from './template-variables.ts';

export type ServerShelfOptions = {
  readonly resources: readonly CatalogResource[];
  /** Whether resources of a server may be read. */
  readonly isChosen: (server: string) => boolean;
  readonly servers: Pick<OtherServers, 'request'>;
  readonly clock: Clock;
};

const longestWaitMs = 600_000;

/** Of all servers together. What is not listed can be read all the same. */
const maxListed = 500;
const maxDescriptionCharacters = 500;

/** The resources of other servers, each below an address of ours. What one of them links to is read when a client asks for it. */
export function createServerShelf({ resources, isChosen, servers, clock }: ServerShelfOptions): ResourceShelf {
  const offered = resources
    .map((resource) => ({ ...entryOf(resource.server, resource.listed), resource }))
    .filter(({ uri }) => isOfferable(uri));
  const listed = offered.filter(({ resource }) => !resource.listed.isTemplate).slice(0, maxListed);
  const templates = offered.filter(({ resource }) => resource.listed.isTemplate).slice(0, maxListed);
  return {
    templates: templates.map(({ uri, resource, ...entry }) => ({
      ...entry,
      uriTemplate: uri,
      complete: completersOf(resource, { servers, clock }),
    })),
    list: async () => listed.map(({ resource: _, ...entry }) => entry),
    read: async (offeredAs, { signal }) => {
      const place = readOfferedUri(offeredAs);
      if (place === null || place.uri === '' || !isChosen(place.server)) {
        return null;
      }
      const { server, uri } = place;
      const deadlineAtMs = clock.now() + longestWaitMs;
      const reply = await servers.request(
        { server, asks: { type: 'resource', uri }, deadlineAtMs, questions: null },
        signal,
      );
      if (reply.type !== 'answered') {
        throw new RpcError(ErrorCode.InternalError, describeFailedReply(reply, server));
      }
      const { contents } = isJsonObject(reply.result) ? reply.result : {};
      return { contents: await readResourceContents(contents, { server, offeredAs }) };
    },
  };
}

function completersOf(
  { server, listed }: CatalogResource,
  parts: ServerCompleterParts,
): Readonly<Record<string, Completer>> {
  const completers = templateVariables(listed.uri).map((argument): [string, Completer] => [
    argument,
    createServerCompleter({ server, of: 'template', name: listed.uri, argument }, parts),
  ]);
  return Object.fromEntries(completers);
}

function entryOf(
  server: string,
  { uri, name, title, description, mediaType }: CatalogResource['listed'],
): ResourceEntry {
  return {
    uri: offeredUri({ server, uri }),
    name: shownName(name),
    title: shownName(title ?? name),
    description: `${originOf(server)} ${shownWords(description, maxDescriptionCharacters)}`.trimEnd(),
    mimeType:
      mediaType !== null && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mediaType) ? mediaType : 'application/octet-stream',
  };
}
