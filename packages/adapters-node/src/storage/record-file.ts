import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import * as z from 'zod';
import { foreignCodes, readFlags } from '../disk/durable/open-contents.ts';
import { errorCode, isMissing } from '../processes/error-code.ts';

const readAsync = promisify(read);

/** The header before a record's text. */
export type RecordHead = {
  readonly owner: string;
  readonly key: string;
  readonly summary: string;
  readonly textBytes: number;
};

export type RecordFile = RecordHead & { readonly text: string };

/** Why we cannot have written a file as a complete record: the rest of a sentence that begins with `it is`. */
export type Unreadable = { readonly reason: string };

const format = 2;

const headSchema = z.strictObject({
  format: z.number(),
  owner: z.string(),
  key: z.string(),
  summary: z.string(),
  textBytes: z.number(),
  digest: z.string(),
});

/** A summary of 16 KiB can take six times as much as JSON. */
const maxHeadBytes = 131_072;

/** Nearly every head fits into this. */
const firstReadBytes = 4_096;

/** Up to here a synchronous read is several times as fast as a trip to the thread pool, and too short to be noticed. */
const maxSyncBytes = 262_144;

const lineFeed = 0x0a;

/**
 * One line of JSON, then the text. A listing reads only the line. The digest covers both, so a damaged record never passes for a complete
 * one. Throws if the owner's name is too long for the line.
 */
export function formatRecordFile({ owner, key, summary, text }: Omit<RecordFile, 'textBytes'>): string {
  const head = { format, owner, key, summary, textBytes: Buffer.byteLength(text) };
  const line = `${JSON.stringify({ ...head, digest: digestOf(head, text) })}\n`;
  if (Buffer.byteLength(line) > maxHeadBytes) {
    throw new Error('the name of its owner is too long');
  }
  return line + text;
}

/** Reads the header that a listing needs. Null if the file is missing. Throws if the system refuses. */
export function readRecordHead(path: string): RecordHead | Unreadable | null {
  return withFile(path, ({ file, stats }) => {
    const head = readHead(file, stats);
    return 'reason' in head ? head : head.head;
  });
}

/** Reads a whole record with at most `maxBytes` of text. Resolves to null if the file is missing. Rejects if the system refuses. */
export async function readRecordFile(path: string, maxBytes: number): Promise<RecordFile | Unreadable | null> {
  const opened = openRecord(path);
  if (opened === null || 'reason' in opened) {
    return opened;
  }
  const { file, stats } = opened;
  try {
    const largest = maxBytes + maxHeadBytes;
    if (stats.size > largest) {
      return { reason: `${stats.size} bytes, more than the limit of ${largest}` };
    }
    const bytes = Buffer.allocUnsafe(stats.size);
    if (stats.size <= maxSyncBytes) {
      readSync(file, bytes, 0, stats.size, 0);
    } else {
      await readAsync(file, bytes, 0, stats.size, 0);
    }
    return parseRecordFile(bytes);
  } finally {
    closeSync(file);
  }
}

function parseRecordFile(bytes: Buffer): RecordFile | Unreadable {
  const head = parseHead(bytes, bytes.byteLength);
  if ('reason' in head) {
    return head;
  }
  const text = bytes.toString('utf8', head.lineBytes);
  return digestOf(head.head, text) === head.digest ? { ...head.head, text } : { reason: 'not as it was written' };
}

type ParsedHead = { readonly head: RecordHead; readonly digest: string; readonly lineBytes: number };

function readHead(file: number, { size }: Stats): ParsedHead | Unreadable {
  for (const wanted of [firstReadBytes, maxHeadBytes]) {
    const bytes = Buffer.allocUnsafe(Math.min(wanted, size));
    readSync(file, bytes, 0, bytes.byteLength, 0);
    if (bytes.includes(lineFeed) || wanted >= size) {
      return parseHead(bytes, size);
    }
  }
  return { reason: 'not a record' };
}

/** `bytes` are the beginning of a file of `size` bytes. */
function parseHead(bytes: Buffer, size: number): ParsedHead | Unreadable {
  const end = bytes.indexOf(lineFeed);
  const parsed = headSchema.safeParse(end < 0 ? null : parseJson(bytes.toString('utf8', 0, end)));
  if (!parsed.success) {
    return { reason: 'not a record' };
  }
  const { format: found, digest, ...head } = parsed.data;
  if (found !== format) {
    return { reason: `not of format ${format}, the only supported one` };
  }
  const lineBytes = end + 1;
  return size === lineBytes + head.textBytes
    ? { head, digest, lineBytes }
    : { reason: 'not as long as it was written' };
}

type OpenedRecord = { readonly file: number; readonly stats: Stats };

function withFile<Result>(path: string, act: (opened: OpenedRecord) => Result): Result | Unreadable | null {
  const opened = openRecord(path);
  if (opened === null || 'reason' in opened) {
    return opened;
  }
  try {
    return act(opened);
  } finally {
    closeSync(opened.file);
  }
}

/** Opens a file that only this user may write, without following a link. */
function openRecord(path: string): OpenedRecord | Unreadable | null {
  let file: number;
  try {
    file = openSync(path, readFlags);
  } catch (error) {
    if (isMissing(error)) {
      return null;
    }
    if (foreignCodes.has(errorCode(error))) {
      return { reason: 'not a regular file' };
    }
    throw error;
  }
  const stats = fstatSync(file);
  const isOurs = process.platform === 'win32' || (stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0);
  if (stats.isFile() && isOurs) {
    return { file, stats };
  }
  closeSync(file);
  return { reason: isOurs ? 'not a regular file' : 'open to changes by other users' };
}

function digestOf({ owner, key, summary }: Pick<RecordHead, 'owner' | 'key' | 'summary'>, text: string): string {
  const hash = createHash('sha256').update(JSON.stringify([format, owner, key, summary]));
  return hash.update(text).digest('base64url');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
