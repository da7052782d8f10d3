import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Whether a value has a type that the id of a request may have. The numbers 0 and 1.5 and the text '' pass. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}
