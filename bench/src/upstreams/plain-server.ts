import { type Child, pathOfProgram, readLine, type Workbench } from '../workbench.ts';

/** The entry of a server in the settings. */
export type ServerSettings =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly httpUrl: string }
  | { readonly url: string; readonly type: 'sse' };

/**
 * How many tools a server has; or that it never answers, or does so after two seconds; or what it sends without end when a tool
 * of it is called.
 */
export type PlainKind = number | 'hangs' | 'slow' | 'requests' | 'notifications' | 'comments';

/** A server on standard streams, which its client starts. More words make no difference but to its settings. */
export function plainProgram(
  kind: PlainKind,
  ...words: readonly string[]
): Extract<ServerSettings, { readonly command: string }> {
  return { command: process.execPath, args: [pathOfProgram('plain-mcp-server'), 'stdio', `${kind}`, ...words] };
}

/** Starts a server over HTTP, which lives as long as the workbench. */
export async function startPlainServer(
  workbench: Workbench,
  kind: PlainKind,
  transport: 'http' | 'sse' = 'http',
): Promise<{ readonly child: Child; readonly url: string; readonly settings: ServerSettings }> {
  const words = [pathOfProgram('plain-mcp-server'), transport, `${kind}`];
  const child = workbench.start({ file: process.execPath, arguments: words });
  const url = await readLine(child.stdout);
  return { child, url, settings: transport === 'sse' ? { url, type: 'sse' } : { httpUrl: url } };
}
