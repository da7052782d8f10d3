import {
  ErrorCode,
  InitializeRequestSchema,
  type RequestId,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../../input/request-params.ts';

export type InvalidInitialize = {
  readonly id: RequestId | null;
  readonly code: number;
  readonly reason: string;
};

/** The SDK answers `initialize` itself, and a malformed one with its validator's text. Null for a message that it can take. */
export function findInvalidInitialize(message: unknown): InvalidInitialize | null {
  if (!isJsonObject(message) || message['method'] !== 'initialize' || message['id'] === undefined) {
    return null;
  }
  if (InitializeRequestSchema.safeParse(message).success) {
    return null;
  }
  return {
    id: RequestIdSchema.safeParse(message['id']).data ?? null,
    code: ErrorCode.InvalidParams,
    reason:
      'Invalid parameters: initialize needs protocolVersion (a string), capabilities (an object) and clientInfo (with name and version)',
  };
}
