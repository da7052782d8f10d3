import type { AnswerStore, CallProgress, Clock } from '@gemini-mcp/core';
import {
  findOversize,
  type JudgedTool,
  quoteStrangers,
  restoreNames,
  type ServerReply,
  type UpstreamServers,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import type { JsonObject, JsonSchemaInput } from '../input/tool-input.ts';
import { passOnQuestions } from '../questions/pass-on-questions.ts';
import type { Scope } from '../surface/scope.ts';
import type { RefusalReason, Tool, ToolAnnotations, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { offerResult } from './offer-result.ts';
import type { OfferedSchema } from './offer-schema.ts';
import { shownName, shownWords } from './offer-schema.ts';

export type ServerToolParts = {
  readonly servers: Pick<UpstreamServers, 'request'>;
  readonly answers: Pick<AnswerStore, 'save'>;
  readonly clock: Clock;
};

/** The parts of a tool. */
export type OfferedTool = {
  /** The offered name. */
  readonly name: string;
  readonly server: Pick<UpstreamSnapshot, 'name' | 'isTrusted'>;
  readonly judged: JudgedTool;
};

/** The scopes for everything that involves other servers. */
export const serverScopes: readonly Scope[] = ['gemini:servers'];

/** A server ends its calls sooner, by its own settings: this stops one that goes on for ever with progress. */
const longestCallMs = 3_600_000;

const maxDescriptionCharacters = 3_800;

/** The worst annotations: they make clients ask their users before each call. */
export const worst: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** A tool of another server as one of ours. */
export function createServerTool(
  { name, server, judged: { listed, judgement } }: OfferedTool,
  { schema, originals }: Extract<OfferedSchema, { isOffered: true }>,
  parts: ServerToolParts,
): Tool<JsonSchemaInput> {
  return {
    name,
    title: shownName(listed.title ?? listed.name),
    description: `${originOf(server.name)} ${shownWords(listed.description, maxDescriptionCharacters)}`.trimEnd(),
    input: { jsonSchema: schema },
    annotations: annotationsOf(server, listed.annotations),
    group: 'servers',
    scopes: { always: serverScopes, byArgument: {} },
    uriSchemes: ['gemini'],
    structuresFreely: true,
    isUnlisted: judgement.type === 'withheld',
    run: (args, context) =>
      callServer(
        {
          server: server.name,
          tool: listed.name,
          args: restoreNames(args, originals),
          outputSchema: listed.outputSchema,
        },
        context,
        parts,
      ),
  };
}

/** Comes first, so that no description of a tool can claim another server. */
export function originOf(server: string): string {
  return `Of the MCP server "${shownName(server)}".`;
}

/** A server's claims about a tool count only if the user has said that its calls need no confirmation. */
function annotationsOf({ isTrusted }: OfferedTool['server'], claims: JsonObject): ToolAnnotations {
  const claimed = (hint: keyof ToolAnnotations): boolean => {
    const value = isTrusted ? claims[hint] : undefined;
    return typeof value === 'boolean' ? value : worst[hint];
  };
  return {
    readOnlyHint: claimed('readOnlyHint'),
    destructiveHint: claimed('destructiveHint'),
    idempotentHint: claimed('idempotentHint'),
    openWorldHint: claimed('openWorldHint'),
  };
}

type ServerCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly outputSchema: JsonObject | null;
};

/** Limits arguments: beyond any sensible use, and recursion could not write deeper ones. */
const limits = { maxValues: 200_000, maxCharacters: 8_000_000, maxDepth: 100 };

async function callServer(
  { server, tool, args, outputSchema }: ServerCall,
  { ask, owner, progress, signal, trace }: ToolContext,
  { servers, answers, clock }: ServerToolParts,
): Promise<ToolOutcome> {
  const excess = findOversize(args, limits);
  if (excess !== null) {
    const text = `Not called: the content of the arguments ${excess}.`;
    return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
  }
  const questions = passOnQuestions(ask);
  const reply = await servers.request(
    {
      server,
      asks: { type: 'tool', tool, arguments: args },
      deadlineAtMs: clock.now() + longestCallMs,
      onProgress: (told) => progress({ type: 'status', message: describeProgress(server, told) }),
      questions,
      trace,
    },
    signal,
  );
  const outcome =
    reply.type === 'answered'
      ? await offerResult(reply.result, { server, tool, owner, answers, outputSchema }, signal)
      : presentFailedReply(reply, server);
  return questions.problem === null
    ? outcome
    : withNote(outcome, `[The server asked you a question. ${questions.problem}]`);
}

function withNote(outcome: ToolOutcome, note: string): ToolOutcome {
  return outcome.blocks === undefined
    ? { ...outcome, text: `${outcome.text}\n${note}` }
    : { ...outcome, blocks: [...outcome.blocks, { type: 'text', text: note }] };
}

function describeProgress(server: string, { progress, total, message }: CallProgress): string {
  const extent = total === null ? `${progress}` : `${progress} of ${total}`;
  return `${shownName(server)}: ${message === '' ? extent : `${shownWords(message, 300)} (${extent})`}`;
}

type FailedReply = Exclude<ServerReply, { readonly type: 'answered' }>;

const maxSaidCharacters = 2_000;

/** The text for a client whose request got no answer. */
export function describeFailedReply(reply: FailedReply, server: string): string {
  const name = shownName(server);
  switch (reply.type) {
    case 'error':
      return `The server ${name} refused:\n${quoteStrangers(reply.message.slice(0, maxSaidCharacters))}`;
    case 'unreadable':
      return `The server ${name} did not answer. ${reply.detail}${noteOn({ wasSent: true })}`;
    case 'kept-back':
      return `The server ${name} does not offer this. ${reply.detail}`;
    case 'unavailable':
      return `The server ${name} is not available. ${reply.detail}${noteOn(reply)}`;
    case 'timed-out':
      return `The server ${name} did not answer in time.${noteOn(reply)}`;
    case 'cancelled':
      return `The call was cancelled.${noteOn(reply)}`;
  }
}

/** A caller must not assume that nothing changed. */
function noteOn({ wasSent }: { readonly wasSent: boolean }): string {
  return wasSent ? ' The call may have been carried out anyway.' : '';
}

const reasons: Readonly<Record<FailedReply['type'], RefusalReason>> = {
  error: 'other-server-error',
  unreadable: 'other-server-error',
  'kept-back': 'other-server-unavailable',
  unavailable: 'other-server-unavailable',
  'timed-out': 'other-server-timeout',
  cancelled: 'cancelled',
};

/** The same as the outcome of a tool. */
function presentFailedReply(reply: FailedReply, server: string): ToolOutcome {
  const text = describeFailedReply(reply, server);
  return { text, isError: true, detail: { type: 'refused', reason: reasons[reply.type] } };
}

/** The scopes for a tool name that is not ours: empty if the name cannot belong to another server. */
export function scopesOfServerTool(name: string): readonly Scope[] {
  return name.includes('__') || name === 'find_tools' || name === 'call_tool' ? serverScopes : [];
}
