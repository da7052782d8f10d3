import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** The id that a message cancels, or null where it cancels nothing. */
export function cancelledId(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') {
    return null;
  }
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
