import type { RecordedRequest } from '@gemini-mcp/port-contracts/offline-api';

/**
 * The name under which the model was offered a tool of a run; the tool's own if it was not offered. The Gemini CLI prefixes the names of
 * tools.
 */
export function offeredName({ functionNames }: Pick<RecordedRequest, 'functionNames'>, name: string): string {
  return functionNames.find((offered) => offered === name || offered.endsWith(`_${name}`)) ?? name;
}
