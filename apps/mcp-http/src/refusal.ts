import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HttpEnv } from './http-env.ts';

/** Why a request is not carried out, as its sender may know it. */
export type Refusal = {
  readonly status: ContentfulStatusCode;
  /** For programs: a word in kebab case. */
  readonly code: string;
  /** For people: what happened and what to do, in our words. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code of the error where MCP is spoken: one of JSON-RPC's own; -32000 when it is missing. */
  readonly rpcCode?: number;
};

/** The whole of a body: `error.code` is the word, `error.requestId` the one in the log. */
export type ErrorBody = {
  readonly error: { readonly code: string; readonly message: string; readonly requestId: string };
};

/** For a fault of ours: what it was stands in the log alone. */
export const internalError: Refusal = {
  status: 500,
  code: 'internal-error',
  message: 'Something went wrong inside the server. Its log has more under the requestId.',
};

/** For a method that a path does not have; `allow` names those that it has, as the header does. */
export function wrongMethod(allow: string, message: string): Refusal {
  return { status: 405, code: 'method-not-allowed', message, headers: { Allow: allow } };
}

/** Of JSON-RPC: left to servers for errors of their own. */
const serverErrorCode = -32_000;

/** Answers with a refusal: as JSON-RPC has it where MCP is spoken, otherwise as an `ErrorBody`. Never HTML, never a stack. */
export function refuse(context: Context<HttpEnv>, refusal: Refusal): Response {
  const { status, code, headers } = refusal;
  context.set('refusedAs', code);
  const body = context.req.path === '/mcp' ? rpcError(refusal) : errorBody(context, refusal);
  return context.json(body, status, headers);
}

function errorBody(context: Context<HttpEnv>, { code, message }: Refusal): ErrorBody {
  return { error: { code, message, requestId: context.get('requestId') } };
}

function rpcError({ code, message, rpcCode = serverErrorCode }: Refusal): object {
  return { jsonrpc: '2.0', id: null, error: { code: rpcCode, message, data: { reason: code } } };
}
