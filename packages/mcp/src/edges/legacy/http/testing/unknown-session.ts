/** Status and body of the answer to whoever names a session that is not known to them. */
export const unknownSession: readonly [number, unknown] = [
  404,
  { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } },
];
