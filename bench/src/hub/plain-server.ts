import { fileURLToPath } from 'node:url';
import { readLine } from '../read-line.ts';
import type { Workbench } from '../workbench.ts';

const program = fileURLToPath(new URL('../programs/plain-mcp-server.js', import.meta.url));

/** The entry of a server in the settings. */
export type ServerSettings =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly httpUrl: string };

/** A server with so many tools, one that never answers, or one that answers after two seconds. */
type PlainKind = number | 'hangs' | 'slow';

/** A plain server on standard streams, which its client starts. */
export function plainProgram(kind: PlainKind): ServerSettings {
  return { command: process.execPath, args: [program, 'stdio', String(kind)] };
}

/** Starts a plain server over HTTP, which lives as long as the workbench. */
export async function startPlainServer(
  workbench: Workbench,
  kind: PlainKind,
): Promise<Extract<ServerSettings, { readonly httpUrl: string }>> {
  const words = [program, 'http', String(kind)];
  const child = workbench.start({
    file: process.execPath,
    arguments: words,
    cwd: workbench.directory,
    environment: {},
  });
  return { httpUrl: await readLine(child.stdout) };
}
