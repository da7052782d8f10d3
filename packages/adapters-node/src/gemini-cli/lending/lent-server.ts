import type { Lending, RunRequest } from '@gemini-mcp/core';
import type { Environment } from '../environment/child-environment.ts';

/** Without `_`: the CLI takes the name of a tool apart there. */
export const lentServerName = 'lend';

/** What the CLI calls a lent tool begins with this. */
export const lentToolPrefix: string = `mcp_${lentServerName}_`;

/** The only rule for tools of MCP servers that Gemini CLI 0.61.0 keeps to in both of its ways, besides whole names. */
export const lentToolPattern = 'mcp_*';

/** As long as the CLI waits for a call by itself. The run ends a call before. */
const timeoutMs = 600_000;

/** Whether a run lends tools. */
export function lendsTools({ toolSources = [] }: Pick<RunRequest, 'toolSources'>): boolean {
  return toolSources.length > 0;
}

/** What a run lends, as a setting of the CLI (`mcpServers`). */
export function serverSetting({ url, token }: Pick<Lending, 'url' | 'token'>): Readonly<Record<string, unknown>> {
  return { [lentServerName]: { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, timeout: timeoutMs } };
}

/** What leads a session to the tools that its runs lend, as a parameter of the session (`mcpServers`). */
export function sessionServer(url: string): Readonly<Record<string, unknown>> {
  return { type: 'http', name: lentServerName, url, headers: [] };
}

const loopback = '127.0.0.1,localhost';

/** Variables of a process that is lent tools: without them a proxy would get the requests for them, with their tokens. */
export function loopbackVariables(environment: Environment): Readonly<Record<string, string>> {
  const join = (name: string): string => [environment[name] ?? '', loopback].filter((part) => part !== '').join(',');
  return {
    NO_PROXY: join('NO_PROXY'),
    // Some readers look at this one alone where it is set.
    ...(environment['no_proxy'] !== undefined && { no_proxy: join('no_proxy') }),
  };
}
