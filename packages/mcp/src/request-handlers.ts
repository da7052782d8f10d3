import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest, ServerResult } from '@modelcontextprotocol/sdk/types.js';

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Answers one kind of request. Its parameters come as the client sent them: nobody has looked at them yet. */
export type RequestHandler = (params: unknown, extra: RequestExtra) => Promise<ServerResult>;

/** By method. */
export type RequestHandlers = Readonly<Record<string, RequestHandler>>;
