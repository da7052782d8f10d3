import type { AnswerStore, ToolResult } from '@gemini-mcp/core';
import { countOf, escapeName, formatCount, type ServerTool, splitsSurrogatePair } from '@gemini-mcp/core/internal';
import { findSchemaViolations } from './find-schema-violations.ts';
import type { JsonObject, ServerResult } from './read-result.ts';
import { type ReadResult, readResult } from './read-result.ts';

export type ToToolResultOptions = ServerTool & {
  /** Whose the call is. */
  readonly owner: string;
  readonly answers: AnswerStore;
  /** What the server said of structured content; null or missing where it said nothing. */
  readonly outputSchema?: JsonObject | null;
};

/** Of the whole text that Gemini is told. */
const maxCharacters = 40_000;

/** Room for the first line, and for the note on what is not shown. */
const noteCharacters = 1_500;

const maxNameCharacters = 200;
const maxDetailCharacters = 300;

/**
 * What Gemini is told of a result of a server: text that begins with a word, data and media. What is longer than 40,000 characters is kept
 * for the owner, and a note says how to read on. Links are not followed. Rejects only when it is aborted, with the reason of the signal.
 */
export async function toToolResult(
  result: ServerResult,
  { server, tool, owner, answers, outputSchema = null }: ToToolResultOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const read = readResult(result, shortName(tool));
  const opening = `${openingOf(read, { server, tool })}${await describeSchemaViolation(read, outputSchema)}`;
  const room = maxCharacters - noteCharacters;
  const data = {
    server,
    tool,
    isError: read.isError,
    ...(read.structured !== null &&
      JSON.stringify(read.structured).length <= maxCharacters && { structured: read.structured }),
  };
  const media = read.media.length > 0 && { media: read.media };
  if (read.text.length <= room) {
    return { text: `${opening}\n${read.text}`.trimEnd(), data, ...media, isDone: true };
  }
  const end = splitsSurrogatePair(read.text, room) ? room - 1 : room;
  const title = `Result of ${shortName(`${tool} of ${server}`)}`;
  const saved = await answers.save({ owner, title, text: read.text }, signal);
  const extent = `[Shown: the first ${formatCount(end)} of ${countOf(read.text.length, 'character')}.`;
  const note = saved.saved
    ? `${extent} Read the rest with gemini_read: handle "${saved.answer.handle}", offset ${end}; or give lines or search.]`
    : `${extent} The rest could not be kept: ${saved.detail.slice(0, maxDetailCharacters)}.]`;
  const rest = saved.saved ? { rest: { handle: saved.answer.handle, offset: end } } : {};
  return {
    text: `${opening}\n${read.text.slice(0, end)}\n\n${note}`,
    data: { ...data, ...rest },
    ...media,
    isDone: true,
  };
}

/** Told, and not refused: Gemini can read what came. */
async function describeSchemaViolation(
  { structured, isError }: ReadResult,
  outputSchema: JsonObject | null,
): Promise<string> {
  const [violation] =
    structured === null || outputSchema === null || isError ? [] : await findSchemaViolations(outputSchema, structured);
  return violation === undefined
    ? ''
    : `\n[Its structured content is not what the server said it would be: ${violation}]`;
}

/** The first line, in our words: what follows is the server's. */
function openingOf({ isError, text }: ReadResult, { server, tool }: ServerTool): string {
  const name = `${shortName(tool)} of the server ${shortName(server)}`;
  if (isError) {
    return `Failed, says ${name}${text === '' ? ', and nothing more.' : ':'}`;
  }
  return text === '' ? `Nothing came from ${name}, which ended without an error.` : `Result of ${name}:`;
}

/** Escaping makes a name up to nine times as long. */
function shortName(name: string): string {
  return escapeName(name.slice(0, maxNameCharacters)).slice(0, maxNameCharacters);
}
