import { createHash } from 'node:crypto';
import type { ApprovalToKeep, LastingApproval } from '@gemini-mcp/core';
import { canonicalJson } from '@gemini-mcp/core/internal';
import * as z from 'zod';

const format = 1;

const digest = z.string().regex(/^[0-9a-f]{64}$/);

const words = z.tuple([z.string().min(1)], z.string());

const recordSchema = z.strictObject({
  format: z.literal(format),
  directory: z
    .string()
    .startsWith('/')
    .or(z.string().regex(/^[A-Za-z]:/))
    .nullable(),
  allows: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('command'), prefix: words, network: z.boolean() }),
    z.strictObject({ type: z.literal('tool'), server: z.string().min(1), tool: z.string().min(1), digest }),
  ]),
  allowedAtMs: z.number().nonnegative(),
});

const idCharacters = 20;

/** What an id looks like. */
export const idPattern: RegExp = new RegExp(`^[0-9a-f]{${idCharacters}}$`);

/** The digest of what an approval allows and where: one that says anything else has another id. */
export function approvalId({ allows, directory }: Pick<ApprovalToKeep, 'allows' | 'directory'>): string {
  return createHash('sha256').update(canonicalJson({ allows, directory })).digest('hex').slice(0, idCharacters);
}

/** The text of its file, which people read too. */
export function formatApproval({ allows, directory, allowedAtMs }: ApprovalToKeep): string {
  return `${JSON.stringify({ format, directory, allows, allowedAtMs }, null, 2)}\n`;
}

/** What a file says whose name is `id`, or why that allows nothing. */
export function parseApproval(
  id: string,
  json: unknown,
): { readonly ok: true; readonly approval: LastingApproval } | { readonly ok: false; readonly reason: string } {
  const record = recordSchema.safeParse(json);
  if (!record.success) {
    return { ok: false, reason: `it is no approval of format ${format}` };
  }
  const { directory, allows, allowedAtMs } = record.data;
  return approvalId({ allows, directory }) === id
    ? { ok: true, approval: { id, directory, allows, allowedAtMs } }
    : { ok: false, reason: 'it allows something else than what was allowed under its name: it was changed by hand' };
}
