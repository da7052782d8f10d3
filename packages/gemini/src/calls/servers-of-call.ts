import type { Approver, AskFailure, AskRequest } from '@gemini-mcp/core';
import type { ToolSessionOptions } from '../gemini-options.ts';
import type { GeminiParts } from '../gemini-parts.ts';

/** Consent needs an approver. */
export const refuseServers: Approver = {
  ask: () =>
    Promise.resolve({
      type: 'cannot-ask',
      text: 'This program gave the call no `approver` who could consent.',
    }),
};

export type FoundServers = {
  /** Why the call ends before anything is sent; null if its servers can be used. */
  readonly failed: AskFailure | null;
  /** For its request. */
  readonly servers: Pick<AskRequest, 'servers'>;
};

/** Looks up the servers that a call names. Starts none. */
export async function serversOfCall(
  { servers: names = [], approver = refuseServers }: ToolSessionOptions,
  { owner = '', timeoutMs }: Pick<AskRequest, 'owner' | 'timeoutMs'>,
  { toolProviderFactory }: Pick<GeminiParts, 'toolProviderFactory'>,
): Promise<FoundServers> {
  if (names.length === 0) {
    return { failed: null, servers: {} };
  }
  const detail =
    toolProviderFactory === undefined
      ? 'createGemini was given no `mcpServers`.'
      : await toolProviderFactory.findMissing(owner, names);
  if (detail !== null) {
    const failure = { kind: 'servers-refused', detail } as const;
    return { failed: { failure, attempts: [], partialText: '', context: null, timeoutMs }, servers: {} };
  }
  return { failed: null, servers: { servers: { names, approver, questions: null } } };
}
