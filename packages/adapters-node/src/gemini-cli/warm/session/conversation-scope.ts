import type { RunRequest } from '@gemini-mcp/core';

export type ScopedRequest = {
  readonly request: Pick<RunRequest, 'model' | 'owner' | 'toolSources'>;
  readonly lends: boolean;
};

/**
 * Names what a session may remember besides the turns of its conversation: no request of another scope goes on with it. Null where none may.
 * What lent tools have told is nothing that a caller brings: it is for the same owner, whose tools still reach the same.
 */
export function conversationScope({ request, lends }: ScopedRequest): string | null {
  if (!lends) {
    return '';
  }
  const { owner = null, model, toolSources = [] } = request;
  const reaches = toolSources.map(({ reach }) => reach);
  return reaches.includes(undefined) ? null : JSON.stringify({ owner, model, reaches });
}
