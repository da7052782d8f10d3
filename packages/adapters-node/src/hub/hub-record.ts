import { createHash } from 'node:crypto';
import type { ServerLists, ToolPin } from '@gemini-mcp/core/internal';
import * as z from 'zod';

const digestPattern = /^[0-9a-f]{64}$/;

/** The name of what is kept under a key: the key itself where it is a digest. */
export function recordName(key: string): string {
  return digestPattern.test(key) ? key : createHash('sha256').update(JSON.stringify(key)).digest('hex');
}

/** Objects of strangers, which are passed on as they are: to copy them would lose members with names of the language. */
const anyObject = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const texts = z.array(z.string());

const tool = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: anyObject,
  outputSchema: anyObject.nullable(),
  annotations: anyObject,
});

const prompt = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean() })),
});

const resource = z.strictObject({
  uri: z.string(),
  isTemplate: z.boolean(),
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  mediaType: z.string().nullable(),
});

const format = z.literal(1);

const listsRecord = z.strictObject({
  format,
  /** A file that was moved by hand is another's. */
  key: z.string(),
  lists: z.strictObject({
    tools: z.array(tool),
    prompts: z.array(prompt),
    resources: z.array(resource),
    instructions: z.string().nullable(),
    leftOut: texts,
    takenAtMs: z.number(),
  }),
});

const pinsRecord = z.strictObject({
  format,
  key: z.string(),
  pins: z.array(z.strictObject({ tool: z.string(), digest: z.string().regex(digestPattern), definition: z.string() })),
});

const projectRecord = z.strictObject({
  format,
  directory: z.string(),
  digest: z.string().regex(digestPattern),
  approvedAtMs: z.number(),
});

/** The lists that were kept under a key; null for anything else. */
export function parseLists(key: string, value: unknown): ServerLists | null {
  const record = listsRecord.safeParse(value);
  return record.success && record.data.key === key ? record.data.lists : null;
}

/** The pins that were kept under a key; none for anything else. */
export function parsePins(key: string, value: unknown): readonly ToolPin[] {
  const record = pinsRecord.safeParse(value);
  return record.success && record.data.key === key ? record.data.pins : [];
}

/** Which settings of which project were approved; null for anything else. */
export function parseProject(value: unknown): { readonly directory: string; readonly digest: string } | null {
  return projectRecord.safeParse(value).data ?? null;
}
