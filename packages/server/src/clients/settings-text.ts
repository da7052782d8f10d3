import { shellWord } from '@gemini-mcp/core/internal';
import { type HttpEntry, type StdioEntry, tokenVariable } from './server-entry.ts';

/** How a client's settings refer to a variable of the client's environment. */
export type Reference = (name: string) => string;

/** The reference of Cursor, VS Code and Windsurf. */
export const editorReference: Reference = (name) => `\${env:${name}}`;

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The settings of most clients, with this one server. */
export function mcpServers(server: Readonly<Record<string, unknown>>): string {
  return json({ mcpServers: { gemini: server } });
}

/** A server over stdio as most clients take it. Without a `reference` the client passes its variables on by itself. */
export function stdioServer(
  { command, args, variables }: StdioEntry,
  reference: Reference | null,
): Record<string, unknown> {
  const env = reference === null ? [] : variables.map((name) => [name, reference(name)]);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

/** A server over HTTP as most clients take it. */
export function httpServer(entry: HttpEntry, reference: Reference): Record<string, unknown> {
  return { url: entry.url, headers: authorization(entry, reference) };
}

export function authorization(entry: HttpEntry, reference: Reference): { readonly Authorization: string } {
  return { Authorization: bearer(entry, reference) };
}

/** The value of the header, with the token or with what the client replaces by it. */
export function bearer({ token }: HttpEntry, reference: Reference): string {
  return `Bearer ${token ?? reference(tokenVariable)}`;
}

/** The header as one word of a shell, which puts the value of the variable in. */
export function shellHeader(entry: HttpEntry): string {
  return entry.token === null
    ? `"Authorization: Bearer $${tokenVariable}"`
    : shellWord(`Authorization: Bearer ${entry.token}`);
}

/** The words by which a shell starts the server. */
export function shellLine({ command, args }: StdioEntry): string {
  return [command, ...args].map(shellWord).join(' ');
}

/** Ends a sentence about where settings go. */
export function fromEnvironment({ token }: HttpEntry, client: string): string {
  return token === null ? ` ${client} takes the token from ${tokenVariable} in its own environment.` : '';
}
