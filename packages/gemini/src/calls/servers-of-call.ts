import type { Approver, AskFailure, AskRequest } from '@gemini-mcp/core';
import type { LendingOptions } from '../gemini-options.ts';
import type { GeminiParts } from '../gemini-parts.ts';

/** Consent needs an approver. */
export const refuseAll: Approver = {
  ask: () =>
    Promise.resolve({
      type: 'cannot-ask',
      text: 'This program gave the call no `approver` who could consent.',
    }),
};

export type FoundServers = {
  /** Why the call ends before anything is sent; null if its servers can be lent. */
  readonly failed: AskFailure | null;
  /** For its request. */
  readonly servers: Pick<AskRequest, 'servers'>;
};

/** Looks up the servers that a call names. Starts none. */
export async function serversOfCall(
  { servers: names = [], approver = refuseAll }: LendingOptions,
  { owner = '', timeoutMs }: Pick<AskRequest, 'owner' | 'timeoutMs'>,
  { serverLender }: Pick<GeminiParts, 'serverLender'>,
): Promise<FoundServers> {
  if (names.length === 0) {
    return { failed: null, servers: {} };
  }
  const detail =
    serverLender === undefined
      ? 'createGemini was given no `mcpServers`.'
      : await serverLender.findMissing(owner, names);
  if (detail !== null) {
    const failure = { kind: 'servers-refused', detail } as const;
    return { failed: { failure, attempts: [], partialText: '', context: null, timeoutMs }, servers: {} };
  }
  return { failed: null, servers: { servers: { names, approver, questions: null } } };
}
