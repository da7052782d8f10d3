import type { Tool } from '@gemini-mcp/mcp';
import { maxBatchMessages, scopesOfServerTool } from '@gemini-mcp/mcp/internal';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import * as z from 'zod';
import { requiredScopes } from './required-scopes.ts';
import { inOrder } from './scope.ts';

type ScopedTool = Pick<Tool, 'name' | 'scopes'>;

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});

/** Arguments of prompts for which paths are suggested, and so names of files shown. */
export const pathArguments: readonly string[] = ['directory', 'path', 'target'];

const pathCompletion = z.object({
  method: z.literal('completion/complete'),
  params: z.object({
    // Of another server, which suggests its own values.
    ref: z.object({
      type: z.literal('ref/prompt'),
      name: z.string().refine((name) => scopesOfServerTool(name).length === 0),
    }),
    argument: z.object({ name: z.string().refine((name) => pathArguments.includes(name)) }),
  }),
});

/**
 * The scopes that a token needs for a body of JSON-RPC: for one message, or for all messages of a batch. A call of a tool that is none of
 * ours needs what those of other servers need, where its name may be that of one, and otherwise none; neither does a body that is no message:
 * both are refused later. A batch longer than any may be
 * needs all of them: a body has room for millions of messages, and looking at each would delay all other callers.
 */
export function scopesOfMessage(body: unknown, tools: readonly ScopedTool[]): readonly Scope[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > maxBatchMessages) {
    return scopes;
  }
  return inOrder(messages.flatMap((message) => scopesOfOne(message, tools)));
}

function scopesOfOne(message: unknown, tools: readonly ScopedTool[]): readonly Scope[] {
  const call = toolCall.safeParse(message);
  if (call.success) {
    const { name, arguments: args } = call.data.params;
    const tool = tools.find((offered) => offered.name === name);
    return tool === undefined ? scopesOfServerTool(name) : requiredScopes(tool, args);
  }
  return pathCompletion.safeParse(message).success ? ['gemini:files'] : [];
}
