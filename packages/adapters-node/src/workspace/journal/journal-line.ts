import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type FileState, fileStateSchema } from './file-state.ts';

export type JournalLine =
  | {
      readonly type: 'run';
      readonly format: 1;
      readonly runId: string;
      readonly owner: string;
      /** A real path, like the roots. */
      readonly workingDirectory: string;
      readonly roots: readonly string[];
      /** The writing process's tag, from `createTag`. */
      readonly tag: string;
      readonly startedAtMs: number;
    }
  /** Written before a tool's change, and after a command's. */
  | {
      readonly type: 'change';
      readonly path: string;
      readonly before: FileState;
      readonly after: FileState;
      /** Whether the change is known to have been made. */
      readonly isMade: boolean;
    }
  /** A command begins, or has ended and been compared. */
  | { readonly type: 'command'; readonly isRunning: boolean }
  /** Changes of commands cannot be undone from here on; `reason` is a sentence. */
  | { readonly type: 'uncovered'; readonly reason: string }
  /** An undo is about to replace a file, link or directory with one of another kind. */
  | { readonly type: 'undoing'; readonly path: string }
  | { readonly type: 'closed' };

export type RunLine = Extract<JournalLine, { type: 'run' }>;

export type ChangeLine = Extract<JournalLine, { type: 'change' }>;

const lineSchema: z.ZodType<JournalLine> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('run'),
    format: z.literal(1),
    runId: z.string(),
    owner: z.string(),
    workingDirectory: z.string(),
    roots: z.array(z.string()),
    tag: z.string(),
    startedAtMs: z.number(),
  }),
  z.strictObject({
    type: z.literal('change'),
    path: z.string(),
    before: fileStateSchema,
    after: fileStateSchema,
    isMade: z.boolean(),
  }),
  z.strictObject({ type: z.literal('command'), isRunning: z.boolean() }),
  z.strictObject({ type: z.literal('uncovered'), reason: z.string() }),
  z.strictObject({ type: z.literal('undoing'), path: z.string() }),
  z.strictObject({ type: z.literal('closed') }),
]);

/** Prefixes a line with its own digest, which exposes an incompletely written line. */
export function formatLine(line: JournalLine): string {
  const json = JSON.stringify(line);
  return `${digestOf(json)} ${json}\n`;
}

/** Null for text that `formatLine` has not written, or not in this form. */
export function parseLine(text: string): JournalLine | null {
  const json = text.slice(digestLength + 1);
  if (text.slice(0, digestLength + 1) !== `${digestOf(json)} `) {
    return null;
  }
  try {
    return lineSchema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

const digestLength = 16;

function digestOf(json: string): string {
  return createHash('sha256').update(json).digest('hex').slice(0, digestLength);
}
