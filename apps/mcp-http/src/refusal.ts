import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { HttpEnv } from './http-env.ts';

/** The reason for refusing a request, safe for its sender to read. */
export type HttpRefusal = {
  readonly status: ContentfulStatusCode;
  /** For programs, in kebab case. */
  readonly code: string;
  /** For people: what happened and what to do, without foreign text. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON-RPC error code on MCP endpoints. Defaults to -32000. */
  readonly rpcCode?: number;
};

/** The body of an error. `error.requestId` is also in the log. */
export type ErrorBody = {
  readonly error: { readonly code: string; readonly message: string; readonly requestId: string };
};

/** For a fault of the server: only the log contains the details. */
export const internalError: HttpRefusal = {
  status: 500,
  code: 'internal-error',
  message: "An internal error occurred. The server's log has details under this requestId.",
};

/** For an unsupported method. `allow` is the `Allow` header, which lists the supported methods. */
export function wrongMethod(allow: string, message: string): HttpRefusal {
  return { status: 405, code: 'method-not-allowed', message, headers: { Allow: allow } };
}

/** JSON-RPC reserves this code for server-defined errors. */
const serverErrorCode = -32_000;

/** Answers with a refusal: as a JSON-RPC error on MCP endpoints, otherwise as an `ErrorBody`. Never with HTML or a stack. */
export function refuse(context: Context<HttpEnv>, refusal: HttpRefusal): Response {
  const { status, code, headers } = refusal;
  context.set('refusedAs', code);
  const body = context.req.path === '/mcp' ? rpcError(refusal) : errorBody(context, refusal);
  return context.json(body, status, headers);
}

function errorBody(context: Context<HttpEnv>, { code, message }: HttpRefusal): ErrorBody {
  return { error: { code, message, requestId: context.get('requestId') } };
}

function rpcError({ code, message, rpcCode = serverErrorCode }: HttpRefusal): object {
  return { jsonrpc: '2.0', id: null, error: { code: rpcCode, message, data: { reason: code } } };
}
