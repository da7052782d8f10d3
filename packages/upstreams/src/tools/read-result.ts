import { type InlineMedia, mediaHeadBytes, mediaTypeOf } from '@gemini-mcp/core';
import { countOf, escapeControls, escapeJson, escapeName, findOversize, formatCount } from '@gemini-mcp/core/internal';

export type ReadResult = {
  /** The whole text, with every control character visible; may be empty. */
  readonly text: string;
  readonly media: readonly InlineMedia[];
  /** The structured content, if it is an object within the limits. */
  readonly structured: JsonObject | null;
  /** Whether the server reports a failure of the tool. */
  readonly isError: boolean;
};

/** More blocks than anyone can read. */
const maxBlocks = 1_000;

const maxMedia = 20;
/** The CLI accepts no more in one message. */
const maxMediaBytes = 14_000_000;

/** Cuts longer text and says so: a store keeps no more of one text either. */
const maxReadCharacters = 4_000_000;

const structuredBounds = { maxValues: 20_000, maxCharacters: 200_000, maxDepth: 100 };

/** Reads a server's result for Gemini. `tool` names its media. */
export function readResult(result: ServerResult, tool: string): ReadResult {
  const blocks: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const parts = blocks.slice(0, maxBlocks).flatMap(readBlock);
  const { media, texts } = separate(parts, tool);
  const structured = readStructured(result.structuredContent);
  const more = blocks.length > maxBlocks ? [`[${countOf(blocks.length - maxBlocks, 'more block')} left out.]`] : [];
  const hasText = parts.some((part) => 'text' in part);
  const spoken = hasText || structured.json === null ? [] : [structured.json];
  return {
    text: join([...texts, ...spoken, ...structured.notes, ...more]),
    media,
    structured: structured.value,
    isError: result.isError === true,
  };
}

type Structured = {
  readonly value: JsonObject | null;
  readonly json: string | null;
  readonly notes: readonly string[];
};

function readStructured(content: unknown): Structured {
  if (content === undefined || content === null) {
    return { value: null, json: null, notes: [] };
  }
  const excess = findOversize(content, structuredBounds);
  if (excess !== null || !isObject(content)) {
    return { value: null, json: null, notes: [`[Structured content left out: it ${excess ?? 'is not an object'}.]`] };
  }
  const json = escapeJson(JSON.stringify(content));
  return { value: content, json, notes: [] };
}

/** Collects media up to the limits, and names each in the text at its place. */
function separate(
  parts: readonly ResultPart[],
  tool: string,
): { readonly media: readonly InlineMedia[]; readonly texts: readonly string[] } {
  const media: InlineMedia[] = [];
  let bytesLeft = maxMediaBytes;
  const texts = parts.map((part) => {
    if ('text' in part) {
      return part.text;
    }
    const { mediaType, bytes } = part;
    if (media.length === maxMedia || bytes.length > bytesLeft) {
      return `[Media left out: a result may have ${maxMedia}, and ${maxMediaBytes} bytes of them.]`;
    }
    bytesLeft -= bytes.length;
    media.push({ path: `${tool}-${media.length + 1}`, mediaType, bytes });
    return `[Media ${media.length}: ${mediaType}, ${bytes.length} bytes]`;
  });
  return { media, texts };
}

function join(texts: readonly string[]): string {
  const whole = texts.join('\n');
  return whole.length > maxReadCharacters
    ? `${escapeControls(whole.slice(0, maxReadCharacters))}\n[${countOf(whole.length - maxReadCharacters, 'more character')} of the result left out.]`
    : escapeControls(whole);
}

const readers: ReadonlyMap<unknown, (block: JsonObject) => readonly ResultPart[]> = new Map([
  ['text', ({ text }: JsonObject) => (typeof text === 'string' ? [{ text }] : [])],
  ['image', ({ data, mimeType }: JsonObject) => [readMedia({ kind: 'Image', data, mimeType })]],
  ['audio', ({ data, mimeType }: JsonObject) => [readMedia({ kind: 'Audio', data, mimeType })]],
  ['resource', ({ resource }: JsonObject) => readResource(resource)],
  ['resource_link', (link: JsonObject) => [{ text: describeLink(link) }]],
]);

/** The parts of one block of a result. Names a block of an unknown kind. */
function readBlock(block: unknown): readonly ResultPart[] {
  if (!isObject(block)) {
    return [{ text: '[A block left out: it is not an object.]' }];
  }
  const read = readers.get(block['type']);
  return read?.(block) ?? [{ text: `[A block left out: unknown kind ${shownName(block['type'])}.]` }];
}

function readResource(resource: unknown): readonly ResultPart[] {
  if (!isObject(resource)) {
    return [{ text: '[A resource left out: it is empty.]' }];
  }
  const { uri, mimeType, text, blob } = resource;
  const name = `[Resource ${shownName(uri)}]`;
  if (typeof text === 'string') {
    return [{ text: `${name}\n${text}` }];
  }
  return [{ text: name }, readMedia({ kind: 'Its content', data: blob, mimeType })];
}

/** Shows a link without following it: it may lead anywhere. */
function describeLink({ uri, name, title, mimeType, size }: JsonObject): string {
  const label = [title, name].find((one) => typeof one === 'string' && one !== '');
  const about = [
    ...(label === undefined ? [] : [shownName(label)]),
    ...(typeof mimeType === 'string' ? [shownName(mimeType)] : []),
    ...(typeof size === 'number' ? [`${size} bytes`] : []),
  ];
  const detail = about.length === 0 ? '' : ` (${about.join(', ')})`;
  return `[Link to a resource, not followed: ${shownName(uri)}${detail}]`;
}

type EncodedMedia = {
  /** The word for it in notes, such as `image`. */
  readonly kind: string;
  /** Base64. */
  readonly data: unknown;
  /** The type that the server claims. */
  readonly mimeType: unknown;
};

/**
 * Reads media in a result. The type comes from the content, not from the server. Returns a note for content that is not media for Gemini, is not
 * base64, or is too large.
 */
function readMedia({ kind, data, mimeType }: EncodedMedia): ResultPart {
  const leftOut = (why: string): ResultPart => ({ text: `[${kind} left out: ${why}]` });
  if (typeof data !== 'string' || data === '') {
    return leftOut('it has no data.');
  }
  if (data.length * 0.75 > maxMediaBytes) {
    return leftOut(
      `it has about ${formatCount(Math.round(data.length * 0.75))} bytes, and ${formatCount(maxMediaBytes)} are allowed.`,
    );
  }
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data)) {
    return leftOut('its data is not base64.');
  }
  const bytes = Buffer.from(data, 'base64');
  const mediaType = mediaTypeOf(bytes.subarray(0, mediaHeadBytes));
  return mediaType === null
    ? leftOut(
        `its ${formatCount(bytes.length)} bytes are not media that Gemini accepts. The server calls it ${shownName(mimeType)}.`,
      )
    : { mediaType, bytes };
}

const maxCharacters = 200;

/** A server's name, address or type, quoted on one line. */
function shownName(name: unknown): string {
  if (typeof name !== 'string') {
    return 'nothing';
  }
  return `"${escapeName(name.slice(0, maxCharacters))}${name.length > maxCharacters ? '…' : ''}"`;
}

/** A server's answer to a tool call (`CallToolResult` of MCP). Nothing of it is trusted. */
export type ServerResult = {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
};

/** A part of a result: text to read, or media. */
type ResultPart = { readonly text: string } | { readonly mediaType: string; readonly bytes: Uint8Array };

export type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
