import { serverEnvironment } from '../offline-place.ts';
import { httpServerPath } from '../project-paths.ts';
import { killGroup, ownProgram, type Program, readLine, type Workbench } from '../workbench.ts';
import { type HttpTarget, WireClient } from './wire-client.ts';

/** Costs next to nothing: it answers that the job does not exist. */
const trivialTool = { name: 'gemini_job', arguments: { handle: 'unknown' } } as const;

export const benchToken = 'a-token-of-the-bench-0123456789-abcdefghij';

export type HttpServer = {
  readonly pid: number;
  readonly target: HttpTarget;
  readonly stop: () => Promise<void>;
};

/** How requests go over HTTP: by revisions before 2026-07-28 without or with sessions, or by that revision. */
export type HttpMode = 'stateless' | 'stateful' | 'modern';

/** Starts the built server, and one of the SDK alone that gives the same answer. */
export async function startHttpPair(
  workbench: Workbench,
  mode: HttpMode,
): Promise<{ readonly bare: HttpServer; readonly ours: HttpServer }> {
  const ours = await startHttpServer(workbench, {
    ...serverEnvironment(await workbench.makeDirectory()),
    // Room for many clients; the checks, the log and the rest as they are.
    ...{ GEMINI_MCP_PROFILE: 'shared', GEMINI_MCP_HTTP_RATE_LIMIT: '1000000' },
    ...(mode === 'stateful' && { GEMINI_MCP_STATEFUL: '1' }),
  });
  const target = { ...ours.target, isModern: mode === 'modern' };
  const client = await WireClient.open(target);
  const body = await client.call();
  const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  client.close();
  const { result }: { result: { content: readonly { text: string }[] } } = JSON.parse(data);
  const answer = result.content.map(({ text }) => text).join('');
  return { ours: { ...ours, target }, bare: await startBareServer(workbench, mode, answer) };
}

/** Starts the built server on a free port. */
export async function startHttpServer(
  workbench: Workbench,
  environment: Readonly<Record<string, string>>,
): Promise<HttpServer> {
  const { url, ...started } = await startListening(workbench, {
    file: process.execPath,
    arguments: [httpServerPath],
    // Next to the home: a directory that contains the home cannot be a root, and the log would say so first.
    cwd: await workbench.makeDirectory(),
    environment: { ...environment, GEMINI_MCP_PORT: '0', GEMINI_MCP_TOKEN: benchToken },
  });
  const isStateful = environment['GEMINI_MCP_STATEFUL'] === '1';
  return { ...started, target: { url, token: benchToken, isStateful, tool: trivialTool } };
}

/** Starts a server of the SDK alone, which gives this answer to each call. */
export async function startBareServer(workbench: Workbench, mode: HttpMode, answer: string): Promise<HttpServer> {
  const isModern = mode === 'modern';
  const program = isModern ? ownProgram('bare-modern-server', answer) : ownProgram('bare-http-server', mode, answer);
  const { url, ...started } = await startListening(workbench, program);
  return { ...started, target: { url, token: null, isStateful: mode === 'stateful', isModern, tool: trivialTool } };
}

async function startListening(
  workbench: Workbench,
  program: Program,
): Promise<Pick<HttpServer, 'pid' | 'stop'> & { readonly url: string }> {
  const child = workbench.start(program);
  const line = await readLine(child.stderr);
  // The log goes on and must be read, as with any service.
  child.stderr.resume();
  const url = /^listening on (\S+)$/.exec(line)?.[1];
  if (url === undefined || child.pid === undefined) {
    throw new Error(`${program.arguments.join(' ')} does not listen but says: ${line}`);
  }
  return { pid: child.pid, url, stop: () => killGroup(child) };
}
