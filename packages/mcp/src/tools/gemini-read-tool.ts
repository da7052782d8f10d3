import type { AnswerStore, StoredAnswer } from '@gemini-mcp/core';
import {
  type AnswerPart,
  countOf,
  escapeName,
  findIn,
  formatCount,
  readFrom,
  readLines,
} from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { escapeLongText } from '../content/escape-long-text.ts';
import { layoutFor, type ResultLayout } from '../content/result-layout.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { deliverableText } from './arguments/run-arguments.ts';
import type { ToolsOptions } from './create-tools.ts';
import { geminiRead } from './tool-declarations.ts';

const description = `Next page of an answer that was too long for one result, or its rest, by offset, lines or search. Kept for a day.`;

/** Reserves room for the line that says which part of the answer this is. */
const noteBytes = 1_000;

const descriptions = {
  handle: 'From the result.',
  offset: 'First character, from 0.',
  lines: 'From 1: 10-40, 10- or 10.',
  search: 'Lines with this text, in any case.',
} as const;

const linesPattern = /^(\d{1,9})(?:(-)(\d{1,9})?)?$/;

/** Creates the tool `gemini_read`: returns one part of a stored answer by its handle. */
export function createGeminiReadTool({ answers, pageBytes }: Pick<ToolsOptions, 'answers' | 'pageBytes'>): Tool {
  const input = z.strictObject({
    handle: z.string().min(1).max(100).describe(descriptions.handle),
    offset: z.int().min(0).optional().describe(descriptions.offset),
    lines: z
      .string()
      .regex(linesPattern, { error: 'must be lines such as "10-40", "10-" or "10"' })
      .optional()
      .describe(descriptions.lines),
    search: deliverableText(200).min(1).optional().describe(descriptions.search),
  });
  const tool: Tool<typeof input> = {
    ...geminiRead,
    description,
    input,
    run: async (args, { owner, clientName, signal }) => {
      const ways = [args.offset, args.lines, args.search].filter((way) => way !== undefined);
      if (ways.length > 1) {
        const text = 'Give one of offset, lines and search, not several.';
        return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
      }
      const answer = await answers.load(owner, args.handle, signal);
      if (answer === null) {
        return unknownAnswer(answers, owner, signal);
      }
      // Stored in the form shown, except by another version.
      const layout = layoutFor(clientName, pageBytes);
      const { text, ...part } = readPart({ ...answer, text: await escapeLongText(answer.text) }, args, layout);
      return layout.isNoteFirst && part.answer !== undefined ? { ...part, note: text, text: '' } : { ...part, text };
    },
  };
  return tool;
}

type Place = {
  readonly offset?: number | undefined;
  readonly lines?: string | undefined;
  readonly search?: string | undefined;
};

function readPart(
  { text, endNote }: StoredAnswer,
  { offset, lines, search }: Place,
  { pageBytes }: ResultLayout,
): ToolOutcome {
  const partBytes = pageBytes - noteBytes;
  if (search !== undefined) {
    return presentFound(text, search, partBytes);
  }
  return presentPart(
    lines === undefined ? readFrom(text, offset ?? 0, partBytes) : readLines(text, lineRangeOf(lines), partBytes),
    endNote,
  );
}

function presentPart(
  { text, offset, totalCharacters, lines, totalLines, nextOffset }: AnswerPart,
  endNote = 'This is its end.',
): ToolOutcome {
  const whole = `${countOf(totalCharacters, 'character')}, ${countOf(totalLines, 'line')}`;
  if (lines === null) {
    return { text: `[Nothing there: the answer has ${whole}.]`, isError: false };
  }
  const next = nextOffset === null ? endNote : `Read on with offset ${nextOffset}.`;
  const end = formatCount(offset + text.length);
  const place = `[Characters ${formatCount(offset)} to ${end}, lines ${lines.first} to ${lines.last}, of ${whole}. ${next}]`;
  return { answer: text, text: place, isError: false };
}

function presentFound(text: string, needle: string, partBytes: number): ToolOutcome {
  const found = findIn(text, needle, partBytes);
  if (found.total === 0) {
    return { text: '[Found nowhere in the answer.]', isError: false };
  }
  const more =
    found.next === null ? '' : ` The next one is in line ${found.next.line}: read it with offset ${found.next.offset}.`;
  const count = `[Found ${countOf(found.total, 'time')}, ${formatCount(found.shown)} shown.${more}]`;
  return { answer: found.text, text: count, isError: false };
}

function lineRangeOf(lines: string): { readonly first: number; readonly last: number } {
  const [, first = '1', dash, last] = linesPattern.exec(lines) ?? [];
  if (dash === undefined) {
    return { first: Number(first), last: Number(first) };
  }
  return { first: Number(first), last: last === undefined ? Number.MAX_SAFE_INTEGER : Number(last) };
}

async function unknownAnswer(answers: AnswerStore, owner: string, signal: AbortSignal): Promise<ToolOutcome> {
  const newest = await answers.list(owner, 5, signal);
  const kept = newest.map(
    ({ handle, title, characters }) => `  - ${handle}: ${escapeName(title)} (${countOf(characters, 'character')})`,
  );
  const text = [
    'Unknown answer: it has expired, or the handle is wrong.',
    ...(kept.length === 0 ? ['No long answers are stored at the moment.'] : ['The newest:', ...kept]),
  ];
  return { text: text.join('\n'), isError: true, detail: { type: 'refused', reason: 'unknown-answer' } };
}
