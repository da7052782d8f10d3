import type { Tool } from '@gemini-mcp/mcp';
import { maxBatchMessages, scopesOfServerTool } from '@gemini-mcp/mcp/internal';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import type { Context } from 'hono';
import * as z from 'zod';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';
import { type ProtectedResource, resourceMetadataUrl } from './oauth/protected-resource.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The scopes that a token needs for a call with arguments that are not parsed yet: all, for a tool that declares none. Arguments that
 * the tool does not expect need more scopes rather than fewer.
 */
export function requiredScopes(tool: Pick<Tool, 'scopes'>, args: unknown): readonly Scope[] {
  if (tool.scopes === undefined) {
    return scopes;
  }
  const given = isArguments(args) ? args : {};
  const { always, byArgument } = tool.scopes;
  const forArguments = Object.entries(byArgument).flatMap(([name, needed]) => (isGiven(given, name) ? needed : []));
  return inOrder([...always, ...forArguments]);
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null;
}

/** Not where it says what leaving it out would say. */
function isGiven(args: Arguments, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}

export function isScope(word: string): word is Scope {
  return scopes.some((scope) => scope === word);
}

/** In the order in which they are declared, each once. */
function inOrder(given: Iterable<Scope>): readonly Scope[] {
  const wanted = new Set(given);
  return scopes.filter((scope) => wanted.has(scope));
}

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

/**
 * The answer to a request whose token is not good for what it asks, null when it is: 403, which names every scope that the
 * request needs, so that a client can ask its issuer for them. Comes after `authenticate`.
 */
export function requireScopes(
  context: Context<HttpEnv>,
  needed: readonly Scope[],
  challenge: Challenge,
): Response | null {
  const { scopes } = context.get('principal');
  const lacking = needed.filter((scope) => !scopes.has(scope));
  if (lacking.length === 0) {
    return null;
  }
  return refuse(context, {
    status: 403,
    code: 'insufficient-scope',
    message: `This token lacks ${lacking.join(' and ')}. The request needs ${needed.join(' and ')}.`,
    headers: { 'WWW-Authenticate': challenge({ error: 'insufficient_scope', needed }) },
  });
}

/** What was wrong with a token, in the words of RFC 6750. */
type ChallengeProblem =
  | { readonly error: 'invalid_token' }
  | { readonly error: 'insufficient_scope'; readonly needed: readonly Scope[] };

/** Makes a value for `WWW-Authenticate`; without a problem where no token came, which by RFC 6750 is none. */
export type Challenge = (problem?: ChallengeProblem) => string;

/**
 * How this server asks for a token. With OAuth it says where to get one and for what: all scopes at first, and exactly those
 * that a call needs where a token lacks one.
 */
export function createChallenge(resource: ProtectedResource | null): Challenge {
  return (problem) => {
    const parts = [
      resource === null ? 'realm="gemini-mcp-server"' : `resource_metadata="${resourceMetadataUrl(resource)}"`,
      ...(problem === undefined ? [] : [`error="${problem.error}"`]),
      ...scopePart(resource, problem),
    ];
    return `Bearer ${parts.join(', ')}`;
  };
}

function scopePart(resource: ProtectedResource | null, problem: ChallengeProblem | undefined): readonly string[] {
  if (problem?.error === 'insufficient_scope') {
    return [`scope="${inOrder(problem.needed).join(' ')}"`];
  }
  return resource === null ? [] : [`scope="${scopes.join(' ')}"`];
}
