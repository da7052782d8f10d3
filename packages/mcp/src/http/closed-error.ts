import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

/** What is sent in the place of an answer when the server, or the session, ends first. */
export const closedError: { readonly code: number; readonly message: string } = {
  code: ErrorCode.ConnectionClosed,
  message: 'The server closed the connection before it could answer',
};
