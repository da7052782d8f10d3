import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LoopbackToolServer, RunEnd, RunRequest, ToolSession } from '@gemini-mcp/core';
import type { RunDirectory } from '../../disk/run-directory/run-directory.ts';
import type { Environment } from '../../processes/programs/child-environment.ts';
import type { CliRun, Tell, ToldEvent } from '../cli-transport.ts';
import { failRun, failRunFor } from '../fail-run.ts';
import type { Leading } from '../inside-the-cli/reroute-tool-calls.ts';
import type { RunLimit } from '../run-limit.ts';

/** Without `_`: the CLI takes the name of a tool apart there. */
export const lentServerName = 'lend';

/** What the CLI calls a lent tool begins with this. */
export const modelToolPrefix: string = `mcp_${lentServerName}_`;

/** The only rule for tools of MCP servers that Gemini CLI 0.61.0 keeps to in both of its ways, besides whole names. */
export const modelToolPattern = 'mcp_*';

/** As long as the CLI waits for a call by itself. The run ends a call before. */
const timeoutMs = 600_000;

/** Whether a run lends tools. */
export function offersTools({ toolProviders = [] }: Pick<RunRequest, 'toolProviders'>): boolean {
  return toolProviders.length > 0;
}

/** What a run lends, as a setting of the CLI (`mcpServers`). */
export function serverSetting({ url, token }: Pick<ToolSession, 'url' | 'token'>): Readonly<Record<string, unknown>> {
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

/**
 * The events of a run without the calls of lent tools, which the endpoint reports. A call that the CLI refused itself never got there,
 * and counts as failed.
 */
export function withoutToolCalls(events: readonly ToldEvent[]): readonly ToldEvent[] {
  return events.flatMap((event): readonly ToldEvent[] => {
    if (event.type !== 'tool' || !event.name.startsWith(modelToolPrefix)) {
      return [event];
    }
    const { failure: _, ...failed } = { ...event, name: event.name.slice(modelToolPrefix.length) };
    return event.phase === 'failed' ? [{ type: 'tool', name: failed.name, phase: 'started' }, failed] : [];
  });
}

type OpenToolSessionOptions = {
  readonly loopbackToolServer?: LoopbackToolServer;
  readonly run: Pick<CliRun, 'request'>;
  readonly tell: Tell;
};

/** Carries a run with what it lends, null for nothing, which is closed whatever becomes of the run. Resolves to what it came to. */
export async function withToolSession<End>(
  options: OpenToolSessionOptions & { readonly carry: (toolSession: ToolSession | null) => Promise<End> },
  limit: RunLimit,
): Promise<End | RunEnd> {
  const toolSession = await openToolSession(options, limit);
  if (toolSession !== null && 'type' in toolSession) {
    return toolSession;
  }
  try {
    return await options.carry(toolSession);
  } finally {
    await toolSession?.close();
  }
}

/** Resolves to where the CLI finds the tools that a run lends, null for a run that lends none, or to the end of a run that cannot. */
async function openToolSession(
  { loopbackToolServer, run: { request }, tell }: OpenToolSessionOptions,
  limit: RunLimit,
): Promise<ToolSession | RunEnd | null> {
  const { toolProviders = [], deadlineAtMs } = request;
  if (loopbackToolServer === undefined || !offersTools(request)) {
    return null;
  }
  try {
    return await loopbackToolServer.open({ sources: toolProviders, deadlineAtMs, onStep: tell }, limit.signal);
  } catch (error) {
    return limit.signal.aborted ? failRun(limit.failure) : failRunFor(error);
  }
}

/** The end of a run whose tools the CLI has not asked for: Gemini would answer without them. */
export function failWithoutTools(): RunEnd {
  const excerpt = 'The Gemini CLI did not ask for the tools that the run lends.';
  return failRun({ kind: 'runner-unavailable', excerpt });
}

/** Of a port that no request is sent to: an address leads somewhere only by its file. */
const prefix = 'http://127.0.0.1:1/';

const directoryName = 'lent';

/** Names the address at which one session finds its tools. */
export function createToolServerName(): string {
  return randomUUID();
}

/** The address, as the session gets it for as long as it lives. */
export function lentAddress(name: string): string {
  return `${prefix}${name}`;
}

/** Where the addresses of a process lead. */
export function toolRerouting({ root }: Pick<RunDirectory, 'root'>): Leading {
  return { prefix, directory: join(root, directoryName) };
}

/** Leads an address to the tools of a run. Rejects when that cannot be written down. */
export async function routeTo(directory: RunDirectory, name: string, { url, token }: Lent): Promise<void> {
  await directory.write([{ path: join(directoryName, name), content: JSON.stringify({ url, token }) }]);
}

type Lent = Pick<ToolSession, 'url' | 'token'>;

/** The address leads nowhere any more. Never rejects. */
export async function routeNowhere({ root }: RunDirectory, name: string): Promise<void> {
  await rm(join(root, directoryName, name), { force: true }).catch(() => undefined);
}
