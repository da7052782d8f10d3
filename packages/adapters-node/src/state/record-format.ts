import * as z from 'zod';
import type { ParsedRecord } from './private-records-options.ts';

const format = 1;

const recordSchema = z.object({ format: z.unknown(), value: z.unknown() });

/** How the file of every record that has a summary begins. */
export const summaryStart: string = `{"format":${format},"bytes":`;

/**
 * The text between the summary and the value. It does not occur inside of a summary, whose values are flat: in a JSON text, a
 * quote inside of a string comes after a backslash, and the one that ends a string comes before a comma, a colon or a brace.
 */
export const summaryEnd = '},"value":';

/** A value as the JSON of its record. A later format has another number, and is not guessed at. */
export function wrapValue(value: unknown): unknown {
  return { format, value };
}

/**
 * The form of every record on the disk: its summary comes first, with the length of what follows, so that a listing reads the
 * beginning of the file alone. Versions of the server that know no summaries read the record and pass over it.
 */
export function formatRecord(value: unknown, summarize: (bytes: number) => object): string {
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  return `${summaryStart}${bytes},"summary":${JSON.stringify(summarize(bytes))},"value":${json}}`;
}

/** Reads what `formatRecord` wrote; `isOurs` says whether it belongs where it was found. */
export function parseRecord<Value>(
  schema: z.ZodType<Value>,
  json: unknown,
  isOurs: (value: Value) => boolean,
): ParsedRecord<Value> {
  const record = recordSchema.safeParse(json);
  if (!record.success) {
    return { ok: false, reason: 'not a record' };
  }
  if (record.data.format !== format) {
    return { ok: false, reason: `not of format ${format}, the only one known here` };
  }
  const value = schema.safeParse(record.data.value);
  if (!value.success) {
    return { ok: false, reason: 'a record of something else' };
  }
  return isOurs(value.data) ? { ok: true, value: value.data } : { ok: false, reason: 'the record of another place' };
}
