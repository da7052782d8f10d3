import { countOf, splitsPair } from '@gemini-mcp/core/internal';
import { mediaOfBytes } from '../content/media-of-bytes.ts';
import { readBase64 } from '../content/read-base64.ts';
import { isJsonObject, type JsonObject } from '../request-params.ts';
import type { ResourceContent } from '../resources/resource-shelf.ts';
import { showLongText } from '../show-long-text.ts';
import { isOfferable, offeredUri } from './server-uris.ts';

export type ContentsOf = {
  readonly server: string;
  /** The address that the client asked for. */
  readonly offeredAs: string;
};

const maxContents = 50;

/** Of all contents together: a person has asked for it, and a client has it in its context whole. */
const maxCharacters = 400_000;

/** Of all contents together. A message has 10 MB at most. */
const maxBytes = 6_000_000;

/** Types of texts that no client runs. */
const textTypes: ReadonlySet<string> = new Set(['text/plain', 'text/markdown', 'text/csv', 'application/json']);

/** What a server answered to a request for a resource, safe to show. A note takes the place of what cannot be. */
export async function readResourceContents(contents: unknown, of: ContentsOf): Promise<readonly ResourceContent[]> {
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
  const end = splitsPair(text, room) ? room - 1 : room;
  left.characters -= end;
  const type = typeof mimeType === 'string' && textTypes.has(mimeType) ? mimeType : 'text/plain';
  const shown = {
    uri: address,
    mimeType: type,
    text: await showLongText(text.slice(0, end), { keepsControls: false }),
  };
  return end === text.length ? [shown] : [shown, note(`${countOf(text.length - end, 'more character')} left out.`, of)];
}

function readBlob(
  { blob, address }: { readonly blob: unknown; readonly address: string },
  of: ContentsOf,
  left: Left,
): ResourceContent {
  if (typeof blob !== 'string') {
    return note('A part left out: there is nothing in it.', of);
  }
  if (blob.length * 0.75 > left.bytes) {
    return note(
      `A part left out: it has about ${countOf(Math.round(blob.length * 0.75), 'byte')}, which is too much.`,
      of,
    );
  }
  const bytes = readBase64(blob);
  if (bytes === null) {
    return note('A part left out: its data is no Base64.', of);
  }
  left.bytes -= bytes.length;
  // Not the type that the server says: a client may run what it takes for a page.
  const mimeType = mediaOfBytes(bytes)?.mimeType ?? 'application/octet-stream';
  return { uri: address, mimeType, blob: bytes.toString('base64') };
}

function note(text: string, { offeredAs: uri }: ContentsOf): ResourceContent {
  return { uri, mimeType: 'text/plain', text: `[${text}]` };
}
