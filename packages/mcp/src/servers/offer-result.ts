import type { AnswerStore } from '@gemini-mcp/core';
import { byteEnd, countOf, findOversize, formatCount, type ServerTool } from '@gemini-mcp/core/internal';
import type { ContentBlock } from '../content/content-block.ts';
import { escapeLongText } from '../content/escape-long-text.ts';
import { blockSchema } from '../content/make-blocks-safe.ts';
import { checkArguments } from '../input/check-arguments.ts';
import { isJsonObject } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { ToolOutcome } from '../surface/tool.ts';
import { shownName, shownWords } from './offer-schema.ts';

type OfferResultOptions = ServerTool & {
  /** The owner of the call. */
  readonly owner: string;
  readonly answers: Pick<AnswerStore, 'save'>;
  /** The server's own schema of structured content; null if it gave none. */
  readonly outputSchema: JsonObject | null;
};

/** Limits the text before our notes. */
const roomBytes = 38_500;

/** In this server's namespace, as the protocol requires for names in `_meta`. */
const serverKey = 'gemini-mcp-server/server';

/**
 * The result of a call for a client: all kinds of blocks, safe to show. Text beyond the limit of a result is stored for the owner, and a
 * note says how to read on. Links are not followed: they lead to us, and we ask the server when the client asks us. Rejects only when
 * aborted.
 */
export async function offerResult(
  result: JsonObject,
  options: OfferResultOptions,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { server, tool, outputSchema } = options;
  const isError = result['isError'] === true;
  const { text, blocks: shown } = await fitText(readBlocks(result['content'], server), options, signal);
  // The schema does not describe errors.
  const { structured, note } = await readStructured(result['structuredContent'], isError ? null : outputSchema);
  const blocks = note === null ? shown : [...shown, { type: 'text', text: note } as const];
  const told = {
    isError,
    blocks,
    ...(structured !== null && !isError && { structured }),
    meta: { [serverKey]: { server: shownName(server), tool: shownName(tool) } },
    ...(isError && { detail: { type: 'refused', reason: 'other-server-error' } as const }),
  };
  if (text !== '' || blocks.length > 0) {
    return { ...told, text };
  }
  return { ...told, text: structured === null ? nothing[isError ? 'error' : 'success'] : JSON.stringify(structured) };
}

const nothing = {
  error: 'The server reported a failure without any details.',
  success: 'The tool ended without an error and returned nothing.',
} as const;

/** The blocks unchanged; or, if their text is too long for one result, its beginning and the blocks without text. */
async function fitText(
  { blocks, text, cut }: ReadBlocks,
  { server, tool, owner, answers }: OfferResultOptions,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly blocks: ReadBlocks['blocks'] }> {
  const shown = await escapeLongText(text);
  const end = byteEnd(shown, 0, roomBytes);
  if (end === shown.length && cut === null) {
    return { text: '', blocks };
  }
  const title = `Result of ${shownName(tool)} of the server ${shownName(server)}`;
  const saved = await answers.save({ owner, title, text: shown, ...(cut !== null && { endNote: cut }) }, signal);
  const extent = `[Shown: the first ${formatCount(end)} of ${countOf(shown.length, 'character')}.`;
  const note = saved.saved
    ? `${extent} Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${end}; or give lines or search.]`
    : `${extent} The rest could not be saved: ${shownWords(saved.detail, 300)}.]`;
  return { text: `${shown.slice(0, end)}\n\n${note}`, blocks: blocks.filter((block) => !holdsText(block)) };
}

function holdsText(block: ContentBlock): boolean {
  return block.type === 'text' || (block.type === 'resource' && 'text' in block.resource);
}

/** A server's blocks, before they are made safe. */
type ReadBlocks = {
  readonly blocks: readonly ContentBlock[];
  /** All of their text, joined. */
  readonly text: string;
  /** A note on the missing text, for its end; null if complete. */
  readonly cut: string | null;
};

/** A result with more is unreadable anyway. */
const maxBlocks = 1_000;

/** The most parts that a client gets: adjacent texts become one part. */
const maxShownBlocks = 50;

/** Longer text is cut, with a note: a store keeps no more of one text either. */
const maxTextCharacters = 4_000_000;

/** The blocks of a server's result or message, with addresses rewritten to lead to us. */
export function readBlocks(content: unknown, server: string): ReadBlocks {
  const all: readonly unknown[] = Array.isArray(content) ? content : [];
  const read = all.slice(0, maxBlocks).map((block) => withOurAddress(parse(block), server));
  const hidden = all.length - read.length;
  const blocks: readonly ContentBlock[] =
    hidden > 0 ? [...read, { type: 'text', text: `[${countOf(hidden, 'more part')} left out.]` }] : read;
  const text = blocks.flatMap(textOf).join('\n');
  const cut =
    text.length > maxTextCharacters ? `${countOf(text.length - maxTextCharacters, 'more character')} left out.` : null;
  return {
    blocks: blocks.length > maxShownBlocks ? joinTexts(blocks) : blocks,
    text: text.slice(0, maxTextCharacters),
    cut,
  };
}

function parse(block: unknown): ContentBlock {
  return blockSchema().safeParse(block).data ?? { type: 'text', text: '[Left out: a part that is not an MCP block.]' };
}

function withOurAddress(block: ContentBlock, server: string): ContentBlock {
  switch (block.type) {
    case 'resource_link':
      return { ...block, uri: offeredLink({ server, uri: block.uri }) };
    case 'resource':
      return { ...block, resource: { ...block.resource, uri: offeredLink({ server, uri: block.resource.uri }) } };
    default:
      return block;
  }
}

function textOf(block: ContentBlock): readonly string[] {
  if (block.type === 'text') {
    return [block.text];
  }
  return block.type === 'resource' && 'text' in block.resource
    ? [`[Resource ${shownName(block.resource.uri)}]\n${block.resource.text}`]
    : [];
}

function joinTexts(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const joined: ContentBlock[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) {
      joined.push({ type: 'text', text: texts.join('\n') });
      texts = [];
    }
  };
  for (const block of blocks) {
    if (block.type === 'text') {
      texts.push(block.text);
    } else {
      flush();
      joined.push(block);
    }
  }
  flush();
  return joined;
}

type ReadStructured = {
  /** Null if missing, or if it cannot be passed on. */
  readonly structured: JsonObject | null;
  /** A note on the omitted parts and the reasons; null if the result is whole. */
  readonly note: string | null;
};

const bounds = { maxValues: 20_000, maxCharacters: 30_000, maxDepth: 60 };

/** Limits its JSON. */
const maxCharacters = 38_000;

/**
 * A server's structured content, with invisible and acting characters made visible. Leaves out content that the server's own schema
 * refuses: SDK clients would refuse the whole result.
 */
async function readStructured(content: unknown, outputSchema: JsonObject | null): Promise<ReadStructured> {
  if (content === undefined || content === null) {
    return { structured: null, note: null };
  }
  const excess = findOversize(content, bounds);
  if (excess !== null || !isJsonObject(content)) {
    return leftOut(excess ?? 'is not an object');
  }
  if (!(await fits(content, outputSchema))) {
    return leftOut("does not match the server's own schema");
  }
  const structured = showMembers(content);
  return JSON.stringify(structured).length > maxCharacters ? leftOut('is too large') : { structured, note: null };
}

function leftOut(why: string): ReadStructured {
  return { structured: null, note: `[Structured content left out: it ${why}.]` };
}

/** A schema that cannot be compiled refuses nothing. */
async function fits(content: JsonObject, outputSchema: JsonObject | null): Promise<boolean> {
  if (outputSchema === null) {
    return true;
  }
  const checked = await checkArguments({ jsonSchema: outputSchema }, content).catch(() => null);
  return checked?.isAccepted ?? true;
}

function showMembers(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [visible(name), showValue(value)]));
}

function showValue(value: unknown): unknown {
  if (typeof value === 'string') {
    return visible(value);
  }
  if (Array.isArray(value)) {
    return value.map(showValue);
  }
  return isJsonObject(value) ? showMembers(value) : value;
}

function visible(text: string): string {
  return shownWords(text, bounds.maxCharacters);
}

const scheme = 'gemini://servers/';

/** Limits addresses sent to a client: it could not ask for longer ones. */
const maxUriCharacters = 1_000;

/** A resource of another server, by the server's name from the user and the resource's name from the server. */
type ServerUri = { readonly server: string; readonly uri: string };

/**
 * The address under which a resource of another server is offered: the server's own address follows our prefix unchanged, so that
 * a URI template still works.
 */
export function offeredUri({ server, uri }: ServerUri): string {
  return `${scheme}${encodeURIComponent(server.replace(/\p{Cs}/gu, '\ufffd'))}/${uri}`;
}

/** The same for an address in a result. Web pages keep theirs: a client opens them itself. */
function offeredLink({ server, uri }: ServerUri): string {
  return /^https?:\/\//i.test(uri) ? uri : offeredUri({ server, uri });
}

/** The server and resource of an offered address; null for any other address. */
export function readOfferedUri(offered: string): ServerUri | null {
  const end = offered.startsWith(scheme) ? offered.indexOf('/', scheme.length) : -1;
  if (end === -1) {
    return null;
  }
  try {
    return { server: decodeURIComponent(offered.slice(scheme.length, end)), uri: offered.slice(end + 1) };
  } catch {
    return null;
  }
}

/** Whether clients can show the address of an offered resource, and ask for it. */
export function isOfferable(offered: string): boolean {
  return offered.length <= maxUriCharacters && /^[!-~]+$/.test(offered);
}
