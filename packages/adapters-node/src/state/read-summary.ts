import type { FileHandle } from 'node:fs/promises';
import * as z from 'zod';
import { openContents } from './open-contents.ts';
import { summaryEnd, summaryStart } from './record-format.ts';

/** Far more than a summary takes, unless the name of its model or owner is very long: then the whole record is read for it. */
const maxPrefixBytes = 4_096;

const prefixSchema = z.object({ format: z.number(), bytes: z.number(), summary: z.unknown() });

/**
 * Reads the summary at the beginning of a record's file, and not what follows. Resolves to null where only the whole file can
 * tell: it has no summary, as those that older versions wrote, or it is not as long as its beginning says. Rejects where the
 * system refuses. The summary is as it was written: the caller parses it.
 */
export async function readSummary(path: string): Promise<unknown> {
  const file = await openContents(path);
  if (file === null || 'reason' in file) {
    return null;
  }
  try {
    return await parsePrefix(file);
  } finally {
    await file.close();
  }
}

async function parsePrefix(file: FileHandle): Promise<unknown> {
  const stats = await file.stat();
  if (!stats.isFile()) {
    return null;
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxPrefixBytes), 0, maxPrefixBytes, 0);
  const prefix = buffer.subarray(0, bytesRead);
  const end = prefix.indexOf(summaryEnd);
  if (!prefix.subarray(0, summaryStart.length).equals(Buffer.from(summaryStart)) || end < 0) {
    return null;
  }
  const parsed = prefixSchema.safeParse(parseJson(`${prefix.toString('utf8', 0, end)}}}`));
  // The brace that ends the record comes after the value.
  return parsed.success && stats.size === end + summaryEnd.length + parsed.data.bytes + 1 ? parsed.data.summary : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
