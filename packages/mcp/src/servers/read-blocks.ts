import { countOf } from '@gemini-mcp/core/internal';
import { blockSchema } from '../content/block-schema.ts';
import type { ContentBlock } from '../content/content-block.ts';
import { offeredLink } from './server-uris.ts';
import { shownName } from './shown-words.ts';

/** What a server sent, before it is made safe. */
export type ReadBlocks = {
  readonly blocks: readonly ContentBlock[];
  /** All text of them, one after the other. */
  readonly text: string;
  /** What of the text is missing, in words for its end; null where nothing is. */
  readonly cut: string | null;
};

/** A result with more is no result to read. */
const maxBlocks = 1_000;

/** A client is shown no more parts: texts that follow each other become one. */
const maxShownBlocks = 50;

/** More is cut, and said to be: a store keeps no more of one text either. */
const maxCharacters = 4_000_000;

/** The blocks of a result or message of a server, with addresses that lead to us. */
export function readBlocks(content: unknown, server: string): ReadBlocks {
  const all: readonly unknown[] = Array.isArray(content) ? content : [];
  const read = all.slice(0, maxBlocks).map((block) => withOurAddress(parse(block), server));
  const hidden = all.length - read.length;
  const blocks: readonly ContentBlock[] =
    hidden > 0 ? [...read, { type: 'text', text: `[${countOf(hidden, 'more part')} left out.]` }] : read;
  const text = blocks.flatMap(textOf).join('\n');
  const cut =
    text.length > maxCharacters
      ? `${countOf(text.length - maxCharacters, 'more character')} came, and were left out.`
      : null;
  return {
    blocks: blocks.length > maxShownBlocks ? joinTexts(blocks) : blocks,
    text: text.slice(0, maxCharacters),
    cut,
  };
}

function parse(block: unknown): ContentBlock {
  return blockSchema().safeParse(block).data ?? { type: 'text', text: '[Left out: a part that is no block of MCP.]' };
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
