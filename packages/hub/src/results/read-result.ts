import type { InlineMedia } from '@gemini-mcp/core';
import { countOf, escapeControls, escapeJson, findExcess } from '@gemini-mcp/core/internal';
import { readBlock } from './read-block.ts';
import { isObject, type JsonObject, type ResultPart, type ServerResult } from './server-result.ts';

export type ReadResult = {
  /** All of it, each control character visible; empty where there is no text. */
  readonly text: string;
  readonly media: readonly InlineMedia[];
  /** The structured content, where it is an object that is not too large. */
  readonly structured: JsonObject | null;
  /** What the server says: that the tool failed. */
  readonly isError: boolean;
};

/** A result with more blocks is no result to read. */
const maxBlocks = 1_000;

const maxMedia = 20;
const maxMediaBytes = 14_000_000;

/** More is cut, and said to be: a store keeps no more of one text either. */
const maxReadCharacters = 4_000_000;

const structuredBounds = { maxValues: 20_000, maxCharacters: 200_000, maxDepth: 100 };

/** What a result of a server has for Gemini. `tool` names its media. */
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
  const excess = findExcess(content, structuredBounds);
  if (excess !== null || !isObject(content)) {
    return { value: null, json: null, notes: [`[Structured content left out: it ${excess ?? 'is no object'}.]`] };
  }
  const json = escapeJson(JSON.stringify(content));
  return { value: content, json, notes: [] };
}

/** Media as they come, up to the bounds; in the place of each in the text, its name. */
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
