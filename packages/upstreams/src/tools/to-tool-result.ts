import type { AnswerStore, ToolResult } from '@gemini-mcp/core';
import { countOf, escapeName, formatCount, type ServerTool, splitsSurrogatePair } from '@gemini-mcp/core/internal';
import { findSchemaViolations } from './find-schema-violations.ts';
import type { JsonObject, ServerResult } from './read-result.ts';
import { type ReadResult, readResult } from './read-result.ts';

export type ToToolResultOptions = ServerTool & {
  /** The owner of the call. */
  readonly owner: string;
  readonly answers: AnswerStore;
  /** The tool's declared output schema; null or missing without one. */
  readonly outputSchema?: JsonObject | null;
};

/** Limits the whole text for Gemini. */
const maxCharacters = 40_000;

/** Reserves room for the first line and for the note on omitted text. */
const noteCharacters = 1_500;

const maxNameCharacters = 200;
const maxDetailCharacters = 300;

/**
 * Converts a server's result for Gemini: text that begins with a line of ours, data and media. Saves text beyond 40,000 characters for the owner,
 * and adds a note on how to read on. Follows no links. Rejects only on abort, with the signal's reason.
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
    : `${extent} The rest could not be saved: ${saved.detail.slice(0, maxDetailCharacters)}.]`;
  const rest = saved.saved ? { rest: { handle: saved.answer.handle, offset: end } } : {};
  return {
    text: `${opening}\n${read.text.slice(0, end)}\n\n${note}`,
    data: { ...data, ...rest },
    ...media,
    isDone: true,
  };
}

/** Reports a mismatch without refusing the result: Gemini can still read it. */
async function describeSchemaViolation(
  { structured, isError }: ReadResult,
  outputSchema: JsonObject | null,
): Promise<string> {
  const [violation] =
    structured === null || outputSchema === null || isError ? [] : await findSchemaViolations(outputSchema, structured);
  return violation === undefined
    ? ''
    : `\n[Its structured content does not fit the tool's output schema: ${violation}]`;
}

/** The first line, in our own words: the rest is the server's. */
function openingOf({ isError, text }: ReadResult, { server, tool }: ServerTool): string {
  const name = `${shortName(tool)} of the server ${shortName(server)}`;
  if (isError) {
    return `Error from ${name}${text === '' ? ', without a message.' : ':'}`;
  }
  return text === '' ? `Empty result of ${name}, without an error.` : `Result of ${name}:`;
}

/** Escaping makes a name up to nine times longer. */
function shortName(name: string): string {
  return escapeName(name.slice(0, maxNameCharacters)).slice(0, maxNameCharacters);
}
