import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';

type ErrorInPlaceOfAnswer = { readonly code: number; readonly message: string };

/** What is sent in the place of an answer when the server, or the session, ends first. */
export const closedError: ErrorInPlaceOfAnswer = {
  code: ErrorCode.ConnectionClosed,
  message: 'The server closed the connection before it could answer',
};

/** What is sent in the place of the answer to a cancelled request, where something has to be sent. */
export const cancelledError: ErrorInPlaceOfAnswer = {
  code: ErrorCode.ConnectionClosed,
  message: 'The request was cancelled',
};
