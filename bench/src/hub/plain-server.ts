import { fileURLToPath } from 'node:url';
import type { ServerConfiguration } from '@gemini-mcp/core/internal';
import { readLine } from '../read-line.ts';
import type { Workbench } from '../workbench.ts';

const program = fileURLToPath(new URL('../programs/plain-mcp-server.js', import.meta.url));

export type ServerTransport = ServerConfiguration['transport'];

/** How a plain server on standard streams is started; `kind` is the number of its tools, or `hangs`. */
export function plainProgram(workbench: Workbench, kind: string): Extract<ServerTransport, { type: 'stdio' }> {
  const words = [program, 'stdio', kind];
  const { directory } = workbench;
  return {
    type: 'stdio',
    program: { command: process.execPath, arguments: words, environment: {}, workingDirectory: directory },
  };
}

/** Starts a plain server over HTTP, which lives as long as the workbench. */
export async function startPlainServer(workbench: Workbench, kind: string): Promise<ServerTransport> {
  const words = [program, 'http', kind];
  const child = workbench.start({
    file: process.execPath,
    arguments: words,
    cwd: workbench.directory,
    environment: {},
  });
  return { type: 'http', url: await readLine(child.stdout), headers: {} };
}
