import type { Tool } from '@gemini-mcp/mcp';
import { findTool, maxBatchMessages, repairArguments, scopesOfServerTool } from '@gemini-mcp/mcp/internal';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import type { Context } from 'hono';
import * as z from 'zod';
import type { HttpEnv } from '../http-env.ts';
import { refuse } from '../refusal.ts';
import { type ProtectedResource, resourceMetadataUrl } from './oauth/protected-resource.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The scopes that a token needs to call a tool with these arguments, which are not validated yet. A tool that declares no scopes needs all
 * of them. An argument counts as given as it is written and as it is meant, and also if it is invalid, so it can only add scopes.
 */
export function requiredScopes(tool: Omit<ScopedTool, 'name' | 'otherNames'>, args: unknown): readonly Scope[] {
  if (tool.scopes === undefined) {
    return scopes;
  }
  const meant = tool.input === undefined ? args : repairArguments(tool.input, args).args;
  const given = [args, meant].filter(isArguments);
  const { always, byArgument } = tool.scopes;
  const forArguments = Object.entries(byArgument).flatMap(([name, needed]) =>
    given.some((each) => isGiven(each, name)) ? needed : [],
  );
  return inOrder([...always, ...forArguments]);
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null;
}

/** `undefined`, `null`, `false` and an empty list have the same effect as leaving the argument out. */
function isGiven(args: Arguments, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

export function isScope(word: string): word is Scope {
  return scopes.some((scope) => scope === word);
}

/** Sorts scopes into their declared order and drops duplicates. */
function inOrder(given: Iterable<Scope>): readonly Scope[] {
  const wanted = new Set(given);
  return scopes.filter((scope) => wanted.has(scope));
}

type ScopedTool = Pick<Tool, 'name' | 'otherNames' | 'scopes'> & Partial<Pick<Tool, 'input'>>;

const toolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});

/** Prompt arguments whose completions list file names. */
export const pathArguments: readonly string[] = ['directory', 'path', 'target'];

const pathCompletion = z.object({
  method: z.literal('completion/complete'),
  params: z.object({
    // Other servers complete the arguments of their own prompts.
    ref: z.object({
      type: z.literal('ref/prompt'),
      name: z.string().refine((name) => scopesOfServerTool(name).length === 0),
    }),
    argument: z.object({ name: z.string().refine((name) => pathArguments.includes(name)) }),
  }),
});

/**
 * The scopes that a token needs for a JSON-RPC message, or for all messages of a batch. A tool of another server needs the scope for other
 * servers. Unknown tools and invalid messages need none, because they are refused later. A batch over the limit needs all scopes without
 * being read: a body can hold millions of messages, and reading them would delay every other caller.
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
    const tool = findTool(tools, name);
    return tool === undefined ? scopesOfServerTool(name) : requiredScopes(tool, args);
  }
  return pathCompletion.safeParse(message).success ? ['gemini:files'] : [];
}

/**
 * Null if the token has every needed scope. Otherwise a 403 that names all scopes of the request, so that the client can ask its issuer for
 * them. Runs after `authenticate`.
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

/** The error codes of RFC 6750. */
type ChallengeProblem =
  | { readonly error: 'invalid_token' }
  | { readonly error: 'insufficient_scope'; readonly needed: readonly Scope[] };

/** Creates the value of `WWW-Authenticate`. A request without a token gets no error code (RFC 6750, section 3.1). */
export type Challenge = (problem?: ChallengeProblem) => string;

/**
 * Creates this server's challenges. With OAuth they link the resource metadata and name the scopes to ask for: those of the request if the
 * token lacks one of them, otherwise all.
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
