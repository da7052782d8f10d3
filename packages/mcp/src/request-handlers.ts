import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest, ServerResult } from '@modelcontextprotocol/sdk/types.js';
import type { OpenRequest } from './requests/open-request.ts';

/** What goes with a request. Its signal is that of the ledger: the SDK's own knows nothing of closed HTTP requests. */
export type RequestExtra = Omit<RequestHandlerExtra<ServerRequest, ServerNotification>, 'signal' | 'authInfo'> & {
  readonly request: OpenRequest;
};

/** Answers one kind of request. Its parameters come as the client sent them: they are not checked yet. */
export type RequestHandler = (params: unknown, extra: RequestExtra) => Promise<ServerResult>;

/** By method. */
export type RequestHandlers = Readonly<Record<string, RequestHandler>>;
