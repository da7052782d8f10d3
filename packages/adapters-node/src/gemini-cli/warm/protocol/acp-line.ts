import * as z from 'zod';
import { type AcpUpdate, parseAcpUpdate } from './acp-messages.ts';

/** A line from the agent, as far as it matters to us. */
export type AcpLine =
  | { readonly type: 'result'; readonly id: unknown; readonly result: unknown }
  | { readonly type: 'error'; readonly id: unknown; readonly code: number; readonly message: string }
  | { readonly type: 'request'; readonly id: string | number; readonly method: string }
  | { readonly type: 'update'; readonly sessionId: string; readonly update: AcpUpdate }
  /** A notification that says nothing to us. */
  | { readonly type: 'other' }
  | { readonly type: 'unreadable' };

/** JSON-RPC's own "internal error", for an error that is none. */
const internalErrorCode = -32_603;

/** We send it back: a long one is not an id of ours. */
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

/** Reads one line. What is no message of JSON-RPC is `unreadable`; an update of an unknown kind is one of kind `other`. */
export function parseAcpLine(line: string): AcpLine {
  // A flood of anything else is not worth an exception for each of its lines.
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

/** An error in a wrong shape is still the end of its request. */
function readError(error: unknown): { readonly code: number; readonly message: string } {
  const parsed = errorSchema.safeParse(error);
  if (!parsed.success) {
    return { code: internalErrorCode, message: '' };
  }
  const { code, message, data } = parsed.data;
  const whole = data === undefined ? message : `${message}: ${data.details}`;
  return { code, message: whole.slice(0, longestMessage) };
}
