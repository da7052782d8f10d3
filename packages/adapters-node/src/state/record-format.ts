import * as z from 'zod';
import type { ParsedRecord } from './private-records.ts';

const format = 1;

const recordSchema = z.object({ format: z.unknown(), value: z.unknown() });

/** How every record stands on the disk: a later format has another number, and is not guessed at. */
export function formatRecord(value: unknown): unknown {
  return { format, value };
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
