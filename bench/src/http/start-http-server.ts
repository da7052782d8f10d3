import { fileURLToPath } from 'node:url';
import { httpServerPath } from '../project-paths.ts';
import { readLine } from '../read-line.ts';
import { serverEnvironment } from '../server-environment.ts';
import { killGroup, type Program, type Workbench } from '../workbench.ts';
import { type HttpTarget, McpWireClient } from './mcp-wire-client.ts';

const bareServerProgram = fileURLToPath(new URL('../programs/bare-http-server.js', import.meta.url));

/** A tool that has next to nothing to do: it says that there is no such job. */
const trivialCall = { name: 'gemini_job', arguments: { handle: 'unknown' } } as const;

export const benchToken = 'a-token-of-the-bench-0123456789-abcdefghij';

export type StartedHttpServer = {
  readonly pid: number;
  readonly target: HttpTarget;
  readonly stop: () => Promise<void>;
};

export type HttpServerPair = {
  readonly bare: StartedHttpServer;
  readonly ours: StartedHttpServer;
};

export type HttpMode = 'stateless' | 'stateful';

/** Room for many clients; the checks, the log and the rest as they are. */
const roomyEnvironment = { GEMINI_MCP_PROFILE: 'shared', GEMINI_MCP_HTTP_RATE_LIMIT: '1000000' } as const;

const modeEnvironment = {
  stateless: {},
  stateful: { GEMINI_MCP_STATEFUL: '1' },
} as const;

/** Starts the built server, and one of the SDK alone that gives the same answer. */
export async function startHttpPair(workbench: Workbench, mode: HttpMode): Promise<HttpServerPair> {
  const home = await workbench.makeDirectory();
  const environment = { ...serverEnvironment(home), ...roomyEnvironment, ...modeEnvironment[mode] };
  const ours = await startOurs(workbench, environment);
  const bare = await startBare(workbench, mode, await answerOf(ours.target));
  return { bare, ours };
}

/** Starts the built server on a free port. */
export async function startOurs(
  workbench: Workbench,
  environment: Readonly<Record<string, string>>,
): Promise<StartedHttpServer> {
  const { pid, port, stop } = await listening(workbench, {
    file: process.execPath,
    arguments: [httpServerPath],
    // Next to the home: a directory that contains the home would be no root, and a line of the log would say so first.
    cwd: await workbench.makeDirectory(),
    environment: { ...environment, GEMINI_MCP_PORT: '0', GEMINI_MCP_TOKEN: benchToken },
  });
  const isStateful = environment['GEMINI_MCP_STATEFUL'] === '1';
  return { pid, stop, target: { port, token: benchToken, isStateful, call: trivialCall } };
}

async function startBare(workbench: Workbench, mode: HttpMode, answer: string): Promise<StartedHttpServer> {
  const { pid, port, stop } = await listening(workbench, {
    file: process.execPath,
    arguments: [bareServerProgram, mode, answer],
    cwd: workbench.directory,
    environment: {},
  });
  return { pid, stop, target: { port, token: null, isStateful: mode === 'stateful', call: trivialCall } };
}

type Listening = { readonly pid: number; readonly port: number; readonly stop: () => Promise<void> };

async function listening(workbench: Workbench, program: Program): Promise<Listening> {
  const child = workbench.start(program);
  const line = await readLine(child.stderr);
  // The log goes on, and somebody has to read it, as with any service.
  child.stderr.resume();
  const url = /^listening on (\S+)$/.exec(line)?.[1];
  if (url === undefined || child.pid === undefined) {
    throw new Error(`${program.arguments.join(' ')} does not listen but says: ${line}`);
  }
  return { pid: child.pid, port: Number(new URL(url).port), stop: () => killGroup(child) };
}

/** The text with which a server answers the call. */
async function answerOf(target: HttpTarget): Promise<string> {
  const client = await McpWireClient.open(target);
  const body = await client.call();
  client.close();
  const message: { readonly result: { readonly content: readonly { readonly text: string }[] } } = JSON.parse(
    /^data: (.*)$/m.exec(body)?.[1] ?? '',
  );
  return message.result.content.map(({ text }) => text).join('');
}
