/** Status and body of the answer to a request with an unknown session id. */
export const unknownSession: readonly [number, unknown] = [
  404,
  { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } },
];
