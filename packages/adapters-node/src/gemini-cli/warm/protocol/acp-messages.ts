import * as z from 'zod';
import { type ModelCall, modelCallKind, modelCallShape } from '../../inside-the-cli/model-call.ts';

/** The answer to `initialize`. */
export type AcpAgent = { readonly canLoadSessions: boolean };

/** The answer to `session/new`. */
export type AcpSession = { readonly sessionId: string };

/** The answer to `session/prompt`. */
export type AcpPromptEnd = {
  /** `end_turn`, `cancelled`, `max_tokens`, `max_turn_requests`, or a reason of a newer agent. */
  readonly stopReason: string;
  /** Empty if the agent reported none. */
  readonly models: readonly AcpModelUsage[];
};

type AcpModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** The parts of a `session/update` that we use (Gemini CLI 0.61.0, and our script inside its process). */
export type AcpUpdate =
  | { readonly kind: 'agent-message'; readonly text: string }
  /** The replay of a loaded session. */
  | { readonly kind: 'user-message'; readonly text: string }
  | { readonly kind: 'tool-call'; readonly toolCallId: string; readonly status: string; readonly text: string }
  | { readonly kind: 'tool-call-update'; readonly toolCallId: string; readonly status: string; readonly text: string }
  /** A report of our script: how a request to the model ended. */
  | { readonly kind: 'model-call'; readonly call: ModelCall }
  /** An update that we do not read, or one of an invalid shape. */
  | { readonly kind: 'other' };

const longestSessionId = 200;

const agentSchema: z.ZodType<AcpAgent> = z
  .object({
    protocolVersion: z.number(),
    agentCapabilities: z.object({ loadSession: z.boolean() }).catch({ loadSession: false }),
  })
  .transform(({ agentCapabilities }) => ({ canLoadSessions: agentCapabilities.loadSession }));

const sessionSchema: z.ZodType<AcpSession> = z.object({ sessionId: z.string().min(1).max(longestSessionId) });

const modelUsageSchema: z.ZodType<AcpModelUsage> = z
  .object({ model: z.string(), token_count: z.object({ input_tokens: z.number(), output_tokens: z.number() }) })
  .transform(({ model, token_count: { input_tokens, output_tokens } }) => ({
    model,
    inputTokens: input_tokens,
    outputTokens: output_tokens,
  }));

const promptEndSchema: z.ZodType<AcpPromptEnd> = z
  .object({
    stopReason: z.string(),
    // An answer without statistics is still an answer.
    _meta: z
      .object({ quota: z.object({ model_usage: z.array(modelUsageSchema) }) })
      .optional()
      .catch(undefined),
  })
  .transform(({ stopReason, _meta }) => ({ stopReason, models: _meta?.quota.model_usage ?? [] }));

const kindSchema = z.object({ sessionUpdate: z.string() });

const textSchema = z.object({ type: z.literal('text'), text: z.string() });

const chunkSchema = z.object({ content: textSchema });

const toolContentSchema = z
  .object({ content: textSchema })
  .transform(({ content }) => content.text)
  // A diff, or a picture: a detail of an update must not cost the update.
  .catch('');

const toolSchema = z.object({
  toolCallId: z.string(),
  /** The protocol leaves it out if it has not changed. */
  status: z.string().catch(''),
  content: z.array(toolContentSchema).catch([]),
});

const modelCallSchema = z.object(modelCallShape);

/** Parses the result of `initialize`. */
export function parseAcpAgent(result: unknown): AcpAgent | 'unreadable' {
  return read(agentSchema, result);
}

/** Parses the result of `session/new`. */
export function parseAcpSession(result: unknown): AcpSession | 'unreadable' {
  return read(sessionSchema, result);
}

/** Parses the result of `session/prompt`. */
export function parseAcpPromptEnd(result: unknown): AcpPromptEnd | 'unreadable' {
  return read(promptEndSchema, result);
}

/** Parses the `update` member of a `session/update`. */
export function parseAcpUpdate(update: unknown): AcpUpdate {
  switch (kindSchema.safeParse(update).data?.sessionUpdate) {
    case 'agent_message_chunk':
      return parseChunk('agent-message', update);
    case 'user_message_chunk':
      return parseChunk('user-message', update);
    case 'tool_call':
      return parseTool('tool-call', update);
    case 'tool_call_update':
      return parseTool('tool-call-update', update);
    case modelCallKind:
      return parseModelCall(update);
    default:
      return { kind: 'other' };
  }
}

function parseChunk(kind: 'agent-message' | 'user-message', update: unknown): AcpUpdate {
  const parsed = chunkSchema.safeParse(update);
  return parsed.success ? { kind, text: parsed.data.content.text } : { kind: 'other' };
}

function parseModelCall(update: unknown): AcpUpdate {
  const parsed = modelCallSchema.safeParse(update);
  return parsed.success ? { kind: 'model-call', call: parsed.data } : { kind: 'other' };
}

function parseTool(kind: 'tool-call' | 'tool-call-update', update: unknown): AcpUpdate {
  const parsed = toolSchema.safeParse(update);
  if (!parsed.success) {
    return { kind: 'other' };
  }
  const { toolCallId, status, content } = parsed.data;
  return { kind, toolCallId, status, text: content.join('') };
}

function read<T>(schema: z.ZodType<T>, value: unknown): T | 'unreadable' {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : 'unreadable';
}

/** A line from the agent, reduced to the members that we use. */
export type AcpLine =
  | { readonly type: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly type: 'error'; readonly id: unknown; readonly code: number; readonly message: string }
  | { readonly type: 'request'; readonly id: string | number; readonly method: string }
  | { readonly type: 'update'; readonly sessionId: string; readonly update: AcpUpdate }
  /** A notification that we ignore. */
  | { readonly type: 'other' }
  | { readonly type: 'unreadable' };

/** JSON-RPC's own "internal error", for an error without a valid code. */
const internalErrorCode = -32_603;

/** We send it back: a long id is not one of ours. */
const longestId = 200;

const longestMessage = 65_536;

const envelopeSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.unknown().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

const idSchema = z.union([z.string().max(longestId), z.number()]);

const errorSchema = z.object({
  code: z.number().catch(internalErrorCode),
  message: z.string().catch(''),
  data: z.object({ details: z.string() }).optional().catch(undefined),
});

const updateParamsSchema = z.object({ sessionId: z.string(), update: z.unknown().optional() });

/** Parses one line. A line that is not a JSON-RPC message is `unreadable`; an unknown update has the kind `other`. */
export function parseAcpLine(line: string): AcpLine {
  // In a flood of such lines, an exception for each would be too expensive.
  if (!line.startsWith('{')) {
    return { type: 'unreadable' };
  }
  const envelope = envelopeSchema.safeParse(parseJson(line));
  if (!envelope.success) {
    return { type: 'unreadable' };
  }
  const { id, method, params, result, error } = envelope.data;
  if (method !== undefined) {
    return id === undefined ? parseNotification(method, params) : parseRequest(id, method);
  }
  if (error !== undefined) {
    return { type: 'error', id, ...readError(error) };
  }
  return result === undefined ? { type: 'unreadable' } : { type: 'result', id, result };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function parseNotification(method: string, params: unknown): AcpLine {
  if (method !== 'session/update') {
    return { type: 'other' };
  }
  const parsed = updateParamsSchema.safeParse(params);
  if (!parsed.success) {
    return { type: 'unreadable' };
  }
  return { type: 'update', sessionId: parsed.data.sessionId, update: parseAcpUpdate(parsed.data.update) };
}

function parseRequest(id: unknown, method: string): AcpLine {
  const parsed = idSchema.safeParse(id);
  return parsed.success ? { type: 'request', id: parsed.data, method } : { type: 'unreadable' };
}

/** An error of an invalid shape still ends its request. */
function readError(error: unknown): { readonly code: number; readonly message: string } {
  const parsed = errorSchema.safeParse(error);
  if (!parsed.success) {
    return { code: internalErrorCode, message: '' };
  }
  const { code, message, data } = parsed.data;
  const whole = data === undefined ? message : `${message}: ${data.details}`;
  return { code, message: whole.slice(0, longestMessage) };
}
