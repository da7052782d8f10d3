import { maxBatchMessages } from '@gemini-mcp/mcp/internal';
import * as z from 'zod';
import { requiredScopes } from './required-scopes.ts';
import { inOrder, type Scope, scopes } from './scope.ts';

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});

/** Arguments of prompts for which paths are suggested, and so names of files shown. */
export const pathArguments: readonly string[] = ['directory', 'path', 'target'];

const pathCompletion = z.object({
  method: z.literal('completion/complete'),
  params: z.object({
    ref: z.object({ type: z.literal('ref/prompt') }),
    argument: z.object({ name: z.string().refine((name) => pathArguments.includes(name)) }),
  }),
});

/**
 * What a token must be good for, for a body of JSON-RPC: one message, or a batch of them, which needs what all of its
 * messages need. Nothing for what is no message: it is refused where it is read. All for a batch that is longer than any may
 * be: a body has room for millions of messages, and looking at each would hold up everybody else.
 */
export function scopesOfMessage(body: unknown): readonly Scope[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > maxBatchMessages) {
    return scopes;
  }
  return inOrder(messages.flatMap(scopesOfOne));
}

function scopesOfOne(message: unknown): readonly Scope[] {
  const call = toolCall.safeParse(message);
  if (call.success) {
    const { name, arguments: args } = call.data.params;
    return requiredScopes(name, args);
  }
  return pathCompletion.safeParse(message).success ? ['gemini:files'] : [];
}
