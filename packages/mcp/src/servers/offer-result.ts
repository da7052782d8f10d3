import type { AnswerStore } from '@gemini-mcp/core';
import { byteEnd, countOf, formatCount, type ServerTool } from '@gemini-mcp/core/internal';
import type { ContentBlock } from '../content/content-block.ts';
import type { JsonObject } from '../input/tool-input.ts';
import { showLongText } from '../show-long-text.ts';
import type { ToolOutcome } from '../tool.ts';
import { type ReadBlocks, readBlocks } from './read-blocks.ts';
import { readStructured } from './read-structured.ts';
import { shownName, shownWords } from './shown-words.ts';

export type OfferResultOptions = ServerTool & {
  /** Whose the call is. */
  readonly owner: string;
  readonly answers: Pick<AnswerStore, 'save'>;
  /** What the server said of structured content; null where it said nothing. */
  readonly outputSchema: JsonObject | null;
};

/** Of text, before the notes of ours. */
const roomBytes = 38_500;

/** In the namespace of this server, as the protocol asks of names in `_meta`. */
const serverKey = 'gemini-mcp-server/server';

/**
 * The result of a call as a client gets it: all kinds of blocks, safe to show. Text beyond the bytes of a result is kept for the owner, and a
 * note says how to read on. Links are not followed: they lead to us, who ask the server when the client asks us. Rejects only when it is
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
  // What is an error is described by no schema.
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
  error: 'Failed, says the server, and nothing more.',
  success: 'It ended without an error, and nothing came from it.',
} as const;

/** The blocks as they are; or, where their text is too long for one result, the beginning of it, and the blocks that are none. */
async function fitText(
  { blocks, text, cut }: ReadBlocks,
  { server, tool, owner, answers }: OfferResultOptions,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly blocks: ReadBlocks['blocks'] }> {
  const shown = await showLongText(text, { keepsControls: false });
  const end = byteEnd(shown, 0, roomBytes);
  if (end === shown.length && cut === null) {
    return { text: '', blocks };
  }
  const title = `Result of ${shownName(tool)} of the server ${shownName(server)}`;
  const saved = await answers.save({ owner, title, text: shown, ...(cut !== null && { endNote: cut }) }, signal);
  const extent = `[Shown: the first ${formatCount(end)} of ${countOf(shown.length, 'character')}.`;
  const note = saved.saved
    ? `${extent} Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${end}; or give lines or search.]`
    : `${extent} The rest could not be kept: ${shownWords(saved.detail, 300)}.]`;
  return { text: `${shown.slice(0, end)}\n\n${note}`, blocks: blocks.filter((block) => !holdsText(block)) };
}

function holdsText(block: ContentBlock): boolean {
  return block.type === 'text' || (block.type === 'resource' && 'text' in block.resource);
}
