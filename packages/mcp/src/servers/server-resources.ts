import type { Clock } from '@gemini-mcp/core';
import { countOf, splitsSurrogatePair, type UpstreamServers } from '@gemini-mcp/core/internal';
import { escapeLongText } from '../content/escape-long-text.ts';
import { mediaOfBytes, readBase64 } from '../content/read-media.ts';
import { errorCodes, isJsonObject, RpcError } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Completer } from '../surface/prompt.ts';
import type { ResourceContent, ResourceEntry, ResourceProvider } from '../surface/resource-provider.ts';
import { isOfferable, offeredUri, readOfferedUri } from './offer-result.ts';
import { shownName, shownWords } from './offer-schema.ts';
import type { CatalogResource } from './server-catalog.ts';
import { createServerCompleter, type ServerCompleterParts } from './server-completer.ts';
import { describeFailedReply, originOf } from './server-tool.ts';

type ServerResourcesOptions = {
  readonly resources: readonly CatalogResource[];
  /** Whether resources of a server may be read. */
  readonly isChosen: (server: string) => boolean;
  readonly servers: Pick<UpstreamServers, 'request'>;
  readonly clock: Clock;
};

const longestWaitMs = 600_000;

/** For all servers together. Unlisted resources can still be read. */
const maxListed = 500;
const maxDescriptionCharacters = 500;

/** The resources of other servers, each under an address of ours. A linked resource is read when a client asks for it. */
export function createServerResources({
  resources,
  isChosen,
  servers,
  clock,
}: ServerResourcesOptions): ResourceProvider {
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
    read: async (offeredAs, { signal, trace }) => {
      const place = readOfferedUri(offeredAs);
      if (place === null || place.uri === '' || !isChosen(place.server)) {
        return null;
      }
      const { server, uri } = place;
      const deadlineAtMs = clock.now() + longestWaitMs;
      const reply = await servers.request(
        { server, asks: { type: 'resource', uri }, deadlineAtMs, questions: null, trace },
        signal,
      );
      if (reply.type !== 'answered') {
        throw new RpcError(errorCodes.internalError, describeFailedReply(reply, server));
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

type ContentsOf = {
  readonly server: string;
  /** The address that the client asked for. */
  readonly offeredAs: string;
};

const maxContents = 50;

/** For all contents together: a person has asked for it, and a client puts all of it into its context. */
const maxCharacters = 400_000;

/** For all contents together. A message has 10 MB at most. */
const maxBytes = 6_000_000;

/** Text types that no client runs. */
const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/** A server's answer to a resource request, safe to show. A note replaces each part that cannot be shown. */
async function readResourceContents(contents: unknown, of: ContentsOf): Promise<readonly ResourceContent[]> {
  const all: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const read: ResourceContent[] = [];
  const left = { characters: maxCharacters, bytes: maxBytes };
  for (const content of all.slice(0, maxContents)) {
    read.push(...(await readContent(content, of, left)));
  }
  return all.length > maxContents
    ? [...read, note(`${countOf(all.length - maxContents, 'more part')} left out.`, of)]
    : read;
}

type Left = { characters: number; bytes: number };

async function readContent(content: unknown, of: ContentsOf, left: Left): Promise<readonly ResourceContent[]> {
  const { uri, mimeType, text, blob }: JsonObject = isJsonObject(content) ? content : {};
  const offered = typeof uri === 'string' ? offeredUri({ server: of.server, uri }) : of.offeredAs;
  const address = isOfferable(offered) ? offered : of.offeredAs;
  return typeof text === 'string'
    ? await readText({ text, mimeType, address }, of, left)
    : [readBlob({ blob, address }, of, left)];
}

async function readText(
  { text, mimeType, address }: { readonly text: string; readonly mimeType: unknown; readonly address: string },
  of: ContentsOf,
  left: Left,
): Promise<readonly ResourceContent[]> {
  const room = Math.min(text.length, left.characters);
  const end = splitsSurrogatePair(text, room) ? room - 1 : room;
  left.characters -= end;
  const type = typeof mimeType === 'string' && textTypes.has(mimeType) ? mimeType : 'text/plain';
  const shown = {
    uri: address,
    mimeType: type,
    text: await escapeLongText(text.slice(0, end)),
  };
  return end === text.length ? [shown] : [shown, note(`${countOf(text.length - end, 'more character')} left out.`, of)];
}

function readBlob(
  { blob, address }: { readonly blob: unknown; readonly address: string },
  of: ContentsOf,
  left: Left,
): ResourceContent {
  if (typeof blob !== 'string') {
    return note('A part left out: it is empty.', of);
  }
  if (blob.length * 0.75 > left.bytes) {
    return note(
      `A part left out: it has about ${countOf(Math.round(blob.length * 0.75), 'byte')}, which exceeds the limit.`,
      of,
    );
  }
  const bytes = readBase64(blob);
  if (bytes === null) {
    return note('A part left out: its data is not Base64.', of);
  }
  left.bytes -= bytes.length;
  // Ignore the server's type: a client may run what it takes for a page.
  const mimeType = mediaOfBytes(bytes)?.mimeType ?? 'application/octet-stream';
  return { uri: address, mimeType, blob: bytes.toString('base64') };
}

function note(text: string, { offeredAs: uri }: ContentsOf): ResourceContent {
  return { uri, mimeType: 'text/plain', text: `[${text}]` };
}

const maxVariables = 30;

/** As in RFC 6570, without the inherited properties of objects. */
const variable = /^(?!__proto__$)[\w.%]{1,100}$/;

/** The variable names in a URI template (RFC 6570), each once, in order. */
function templateVariables(pattern: string): readonly string[] {
  const names = [...pattern.matchAll(/\{([^{}]*)\}/g)].flatMap(([, expression = '']) =>
    expression
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((part) => part.replace(/(?::\d+|\*)$/, '')),
  );
  return [...new Set(names.filter((name) => variable.test(name)))].slice(0, maxVariables);
}
