import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { cancelledId } from './cancelled-id.ts';

/**
 * What the SDK's server sends by itself, with the ids of its requests counted from 1. It counts from 0, and clients of the same SDK
 * ignore the cancelling of request 0: they would go on showing a question that was taken back.
 */
export function numberedFromOne(message: JSONRPCMessage): JSONRPCMessage {
  if ('method' in message && 'id' in message) {
    return typeof message.id === 'number' ? { ...message, id: message.id + 1 } : message;
  }
  const cancelled = cancelledId(message);
  return 'method' in message && typeof cancelled === 'number'
    ? { ...message, params: { ...message.params, requestId: cancelled + 1 } }
    : message;
}

/** A client's answer to such a request, with the id that the SDK's server knows. */
export function numberedFromZero(message: JSONRPCMessage): JSONRPCMessage {
  return !('method' in message) && typeof message.id === 'number' ? { ...message, id: message.id - 1 } : message;
}
