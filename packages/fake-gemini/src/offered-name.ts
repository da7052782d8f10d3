import type { RecordedRequest } from '@gemini-mcp/port-contracts/offline-api';

/**
 * The name by which the model was offered a tool that a run lends; the tool's own where it was not. The Gemini CLI puts a name of its own
 * before those of tools.
 */
export function offeredName({ functionNames }: Pick<RecordedRequest, 'functionNames'>, name: string): string {
  return functionNames.find((offered) => offered === name || offered.endsWith(`_${name}`)) ?? name;
}
