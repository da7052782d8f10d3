import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliGeminiRunner, type RunReport, SystemClock, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import { LoopbackMcpServer } from '@gemini-mcp/agent-tools';
import type { GeminiRunner, LoopbackToolServer, ModelTool, RunEvent, RunRequest, ToolSession } from '@gemini-mcp/core';
import { type CliWay, geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import { type OfflineGeminiApi, startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';

export type CliToolsPlace = {
  readonly api: OfflineGeminiApi;
  /** The tool sessions, in order. */
  readonly opened: readonly ToolSession[];
  /** What the runner told of its runs. */
  readonly reports: readonly RunReport[];
  readonly now: () => number;
  readonly run: (fields: Partial<RunRequest>, signal?: AbortSignal) => Promise<readonly RunEvent[]>;
  /** Where the addresses of sessions lead now, as the processes of the CLI read it. */
  readonly leads: () => Promise<readonly Pick<ToolSession, 'url' | 'token'>[]>;
  /** Ends each process of the CLI, as a crash does. */
  readonly kill: () => void;
  /** Ends everything. Resolves to the leavings of the runs. */
  readonly close: () => Promise<readonly string[]>;
};

export type CliToolsPlaceOptions = {
  readonly way: CliWay;
  readonly environment?: Readonly<Record<string, string>>;
  /** Changes where the CLI is told to look. */
  readonly change?: (toolSession: ToolSession) => ToolSession;
};

/** The real CLI over the offline API, with the endpoint of the server. */
export async function openCliToolsPlace({
  way,
  environment = {},
  change,
}: CliToolsPlaceOptions): Promise<CliToolsPlace> {
  const clock = new SystemClock();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'cli-tools-')));
  const api = await startOfflineGeminiApi();
  const endpoint = new LoopbackMcpServer({ clock, log: () => undefined });
  const opened: ToolSession[] = [];
  const reports: RunReport[] = [];
  const options = {
    clock,
    environment: {
      ...environment,
      PATH: process.env['PATH'],
      HOME: root,
      GEMINI_MCP_CLI: geminiCliUnderTest,
      ...api.environment(),
    },
    runsDirectory: join(root, 'runs'),
    userDirectory: join(root, '.gemini'),
    loopbackToolServer: noting(endpoint, opened, change ?? ((toolSession) => toolSession)),
    onRun: (report: RunReport) => reports.push(report),
  };
  const warm = new WarmGeminiRunner(options);
  const runner: GeminiRunner = way === 'warm' ? warm : new CliGeminiRunner(options);
  return {
    api,
    opened,
    reports,
    now: () => clock.now(),
    run: async (fields, signal = new AbortController().signal) => {
      const events: RunEvent[] = [];
      const request = { model: 'gemini-2.5-pro', input: 'Hi', deadlineAtMs: clock.now() + 60_000, ...fields };
      for await (const event of runner.run(request, signal)) {
        events.push(event);
      }
      return events;
    },
    leads: () => leadsBelow(join(root, 'runs')),
    kill: () => killProcessesOf(root),
    close: async () => {
      await warm.close();
      await endpoint.close();
      await api.close();
      const left = await readdir(join(root, 'runs')).catch(() => []);
      await rm(root, { recursive: true });
      return left.filter((name) => name !== 'compiled');
    },
  };
}

function noting(
  endpoint: LoopbackToolServer,
  opened: ToolSession[],
  change: (toolSession: ToolSession) => ToolSession,
): LoopbackToolServer {
  return {
    open: async (request, signal) => {
      const toolSession = await endpoint.open(request, signal);
      opened.push(toolSession);
      return change(toolSession);
    },
  };
}

async function leadsBelow(runs: string): Promise<readonly Pick<ToolSession, 'url' | 'token'>[]> {
  const names = await readdir(runs, { recursive: true }).catch(() => []);
  return names
    .filter((name) => /\/model-tools\/[^/]*$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(runs, name), 'utf8')));
}

/** Those that run the CLI have a directory of the place in their command or their environment. */
function killProcessesOf(root: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) !== process.pid && readOf(pid).includes(root)) {
      process.kill(Number(pid), 'SIGKILL');
    }
  }
}

function readOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** A tool that takes a number. */
export function modelTool(name: string, changes = false): ModelTool {
  const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  return { name, description: `Does ${name}.`, inputSchema, changes };
}
