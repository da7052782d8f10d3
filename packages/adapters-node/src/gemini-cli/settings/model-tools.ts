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

/** Without `_`, which splits the name of a tool for the CLI. */
export const modelToolServerName = 'lend';

/** The CLI's prefix for the name of a model tool. */
export const modelToolPrefix: string = `mcp_${modelToolServerName}_`;

/** The only rule for tools of MCP servers, besides whole names, that Gemini CLI 0.61.0 applies both headless and in the session mode. */
export const modelToolPattern = 'mcp_*';

/** The CLI's own default timeout for a call. The run ends a call earlier. */
const timeoutMs = 600_000;

/** Whether a run offers tools. */
export function offersTools({ toolProviders = [] }: Pick<RunRequest, 'toolProviders'>): boolean {
  return toolProviders.length > 0;
}

/** The tools of a run, as a setting of the CLI (`mcpServers`). */
export function serverSetting({ url, token }: Pick<ToolSession, 'url' | 'token'>): Readonly<Record<string, unknown>> {
  return {
    [modelToolServerName]: { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, timeout: timeoutMs },
  };
}

/** The address and token of a run's tools, as a parameter of the session (`mcpServers`). */
export function sessionServer(url: string): Readonly<Record<string, unknown>> {
  return { type: 'http', name: modelToolServerName, url, headers: [] };
}

const loopback = '127.0.0.1,localhost';

/** Variables of a process with model tools: without them a proxy would get its tool requests, with their tokens. */
export function loopbackVariables(environment: Environment): Readonly<Record<string, string>> {
  const join = (name: string): string => [environment[name] ?? '', loopback].filter((part) => part !== '').join(',');
  return {
    NO_PROXY: join('NO_PROXY'),
    // Some programs read only this one if it is set.
    ...(environment['no_proxy'] !== undefined && { no_proxy: join('no_proxy') }),
  };
}

/**
 * The events of a run without its calls of model tools, which the endpoint reports. A call that the CLI refused itself never got there,
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

/** Carries a run with its tool session (null without tools), and closes the session in every case. Resolves to the end of the run. */
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

/** Resolves to the tool session of a run, to null for a run without tools, or to the end of a run that cannot open one. */
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

/** The end of a run whose CLI did not request its tools: Gemini would answer without them. */
export function failWithoutTools(): RunEnd {
  const excerpt = 'The Gemini CLI did not request the tools of this run.';
  return failRun({ kind: 'runner-unavailable', excerpt });
}

/** A port that receives no requests: only its file gives an address a target. */
const prefix = 'http://127.0.0.1:1/';

const directoryName = 'model-tools';

/** Names the address of one session's tools. */
export function createToolServerName(): string {
  return randomUUID();
}

/** The placeholder address, constant for the life of a session. */
export function toolServerAddress(name: string): string {
  return `${prefix}${name}`;
}

/** The directory of the targets for the addresses of a process. */
export function toolRerouting({ root }: Pick<RunDirectory, 'root'>): Leading {
  return { prefix, directory: join(root, directoryName) };
}

/** Routes an address to the tools of a run. Rejects if the file cannot be written. */
export async function routeTo(directory: RunDirectory, name: string, { url, token }: Target): Promise<void> {
  await directory.write([{ path: join(directoryName, name), content: JSON.stringify({ url, token }) }]);
}

type Target = Pick<ToolSession, 'url' | 'token'>;

/** Removes the target of an address. Never rejects. */
export async function routeNowhere({ root }: RunDirectory, name: string): Promise<void> {
  await rm(join(root, directoryName, name), { force: true }).catch(() => undefined);
}
