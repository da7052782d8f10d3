import { type FileElement, parseFileElements } from '../requests/file-elements.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { grounded, readingPages, type TriedPage, text } from './replies.ts';
import type { Reply } from './reply.ts';

const MAX_FILES = 20;
const MAX_LINE_CHARACTERS = 80;
const MAX_REQUEST_CHARACTERS = 200;
const CHUNK_CHARACTERS = 120;

/**
 * The default script: an answer that lists what arrived, so that a demonstration shows what the model got. A request for
 * Google Search gets one invented source. Of pages to read, only those of example.com are reported as read.
 */
export function describeArrival(request: RecordedRequest): Reply {
  const message = ownText(request);
  if (request.hasGoogleSearch) {
    const answer = `This is the offline Gemini API: nothing was searched for “${clip(message, MAX_REQUEST_CHARACTERS)}”.`;
    return grounded(answer, [{ title: 'example.com', url: 'https://example.com/offline' }], [message]);
  }
  if (request.hasUrlContext) {
    return readingPages(describe(request.model, message), request.pageUrls.map(pretendToRead));
  }
  return text(inChunks(describe(request.model, message)));
}

function describe(model: string, message: string): string {
  const { files, rest } = parseFileElements(message);
  const shown = files.slice(0, MAX_FILES).map(describeFile);
  const hidden = files.length - shown.length;
  return [
    `This is the offline Gemini API, asked for ${model}: no model has read this.`,
    `Arrived: ${Buffer.byteLength(message)} bytes, ${message.length} characters, ${files.length} ${files.length === 1 ? 'file' : 'files'}.`,
    ...shown,
    ...(hidden > 0 ? [`- and ${hidden} more`] : []),
    `The request begins: ${clip(requestText(rest), MAX_REQUEST_CHARACTERS)}`,
  ].join('\n');
}

/** The content of the `<request>` element; without one, all text outside the files. */
function requestText(rest: string): string {
  const [, boundary, request] = /<request(?: boundary="([^"]*)")?>([\s\S]*)/.exec(rest) ?? [];
  const closeTag = boundary === undefined ? '</request>' : `</request boundary="${boundary}">`;
  return (request?.split(closeTag, 1)[0] ?? rest).trim();
}

function describeFile({ path, text: content }: FileElement): string {
  const firstLine = content.slice(0, content.search(/\r?\n|$/));
  return `- ${path}: ${Buffer.byteLength(content)} bytes, first line: ${clip(firstLine, MAX_LINE_CHARACTERS)}`;
}

function pretendToRead(url: string): TriedPage {
  return { url, outcome: /^https?:\/\/example\.com(?:[/?#]|$)/.test(url) ? 'read' : 'failed' };
}

/** The last user turn without the preamble that the Gemini CLI adds to a turn. */
function ownText({ userText }: RecordedRequest): string {
  return userText.filter((part) => !part.startsWith('<session_context>')).join('\n');
}

/** The first characters, without cutting one in two, with a mark if text is missing. */
function clip(value: string, maxCharacters: number): string {
  const characters = Array.from(value.slice(0, 2 * maxCharacters));
  return value.length <= maxCharacters ? value : `${characters.slice(0, maxCharacters).join('')}…`;
}

function inChunks(answer: string): readonly string[] {
  const characters = Array.from(answer);
  const count = Math.ceil(characters.length / CHUNK_CHARACTERS);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * CHUNK_CHARACTERS, (index + 1) * CHUNK_CHARACTERS).join(''),
  );
}
