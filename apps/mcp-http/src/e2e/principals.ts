import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Scope } from '@gemini-mcp/mcp/internal/declarations';
import type { HttpServerProcess } from './http-server-process.ts';
import { McpHttpClient } from './mcp-http-client.ts';

export type PrincipalToWrite = {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly roots?: readonly string[];
};

/** The token of a principal of `writePrincipals`. */
export function tokenOf(name: string): string {
  return `token-of-${name}-0123456789-0123456789`;
}

/** Writes a file for `GEMINI_MCP_PRINCIPALS_FILE`. */
export async function writePrincipals(path: string, principals: readonly PrincipalToWrite[]): Promise<void> {
  const entries = principals.map((principal) => ({
    ...principal,
    tokenSha256: createHash('sha256').update(tokenOf(principal.name)).digest('hex'),
  }));
  await writeFile(path, JSON.stringify({ principals: entries }), { mode: 0o600 });
}

/** A client with the token of a principal. */
export function clientOf(name: string, { origin }: Pick<HttpServerProcess, 'origin'>): McpHttpClient {
  return new McpHttpClient({ origin, token: tokenOf(name) });
}
