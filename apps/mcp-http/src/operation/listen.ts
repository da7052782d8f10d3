import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { ConfigurationError } from '@gemini-mcp/server';

export type Address = {
  readonly host: string;
  readonly port: number;
};

const asked = ({ host, port }: Address): string => `port ${port} of ${host}`;

/** By the error codes of the operating system: the cause and the remedy. */
const problems: Readonly<Record<string, (address: Address) => string>> = {
  EADDRINUSE: (address) =>
    `GEMINI_MCP_PORT (--port): ${asked(address)} is in use, perhaps by another of these servers. Choose another port, or 0 for one that is free.`,
  EACCES: (address) =>
    `GEMINI_MCP_PORT (--port): this user may not open ${asked(address)}. Choose one of 1024 or above, or 0 for one that is free.`,
  EADDRNOTAVAIL: ({ host }) =>
    `GEMINI_MCP_HOST (--host): this machine has no address ${host}. Name one of its own, such as 127.0.0.1.`,
  EAFNOSUPPORT: ({ host }) => `GEMINI_MCP_HOST (--host): this machine has no addresses of the kind of ${host}.`,
  ENOTFOUND: ({ host }) => `GEMINI_MCP_HOST (--host): no host named ${host} was found.`,
  EAI_AGAIN: ({ host }) => `GEMINI_MCP_HOST (--host): the name ${host} could not be looked up.`,
};

/**
 * Starts to accept connections; port 0 takes a free port. Resolves to the address; rejects with a `ConfigurationError` if
 * listening fails.
 */
export function listen(server: Server, address: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const problem = problems[error.code ?? '']?.(address);
      reject(new ConfigurationError(problem ?? `${asked(address)} cannot be opened (${error.code})`, { cause: error }));
    };
    server.once('error', fail);
    server.listen({ ...address, exclusive: true }, () => {
      server.off('error', fail);
      const bound = server.address();
      // Only a server on a pipe has a name instead.
      resolve(bound === null || typeof bound === 'string' ? address : { host: bound.address, port: bound.port });
    });
  });
}

/** The MCP URL of a server that listens at this address. */
export function mcpUrl({ host, port }: Address): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/mcp`;
}
