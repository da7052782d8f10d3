import { fileURLToPath } from 'node:url';
import { readLine } from '../read-line.ts';
import type { Child, Workbench } from '../workbench.ts';

const program = fileURLToPath(new URL('../programs/plain-mcp-server.js', import.meta.url));

/** The entry of a server in the settings. */
export type ServerSettings =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly httpUrl: string };

/** A server with so many tools, one that never answers, or one that answers after two seconds. */
type PlainKind = number | 'hangs' | 'slow';

type PlainProgram = Extract<ServerSettings, { readonly command: string }>;

type PlainAddress = Extract<ServerSettings, { readonly httpUrl: string }>;

/** A plain server on standard streams, which its client starts. More words make no difference but to its settings. */
export function plainProgram(kind: PlainKind, ...words: readonly string[]): PlainProgram {
  return { command: process.execPath, args: [program, 'stdio', String(kind), ...words] };
}

/** Starts a plain server over HTTP, which lives as long as the workbench. */
export async function startPlainServer(workbench: Workbench, kind: PlainKind): Promise<PlainAddress> {
  const { httpUrl } = await startPlainProcess(workbench, kind);
  return { httpUrl };
}

/** The same, with its process. */
export async function startPlainProcess(
  workbench: Workbench,
  kind: PlainKind,
): Promise<PlainAddress & { readonly child: Child }> {
  const words = [program, 'http', String(kind)];
  const child = workbench.start({
    file: process.execPath,
    arguments: words,
    cwd: workbench.directory,
    environment: {},
  });
  return { httpUrl: await readLine(child.stdout), child };
}
