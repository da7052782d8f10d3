import { join } from 'node:path';
import { OfflinePlace, type RunnerUnderTest } from '@gemini-mcp/fake-gemini';
import { HttpServerProcess } from './http-server-process.ts';
import { type PrincipalToWrite, writePrincipals } from './principals.ts';

/** The environment of a test server, unless a test overrides it. */
export const token = 'a-token-of-the-tests-0123456789-abcdefghij';

/** A directory with everything a server needs, an offline API, and the HTTP servers started on them. */
export class HttpSetup extends OfflinePlace {
  /** `runner` is how servers run the CLI. Default: the environment's choice, or the server's own. */
  static async create(runner?: RunnerUnderTest): Promise<HttpSetup> {
    return new HttpSetup(await OfflinePlace.createParts(runner));
  }

  /** Starts a server on a free port, and waits until it listens. */
  start(
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    launcher: readonly string[] = [],
  ): Promise<HttpServerProcess> {
    return this.spawn({ GEMINI_MCP_TOKEN: token, GEMINI_MCP_PORT: '0', ...environment }, flags, launcher).ready();
  }

  /** Starts a server for these principals, with the tokens of `tokenOf`, and for the holder of `token`. */
  async startFor(
    principals: readonly PrincipalToWrite[],
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
  ): Promise<HttpServerProcess> {
    const path = join(this.root, 'principals.json');
    await writePrincipals(path, principals);
    return this.start({ GEMINI_MCP_PRINCIPALS_FILE: path, ...environment }, flags);
  }

  /** Starts a server on a machine without any CLI, with a key for the API. */
  startWithoutCli(environment: Readonly<Record<string, string>> = {}): Promise<HttpServerProcess> {
    const server = new HttpServerProcess({
      cwd: this.project,
      environment: {
        ...this.environmentWithoutCli(),
        GEMINI_MCP_TOKEN: token,
        GEMINI_MCP_PORT: '0',
        ...environment,
      },
    });
    this.adopt(server);
    return server.ready();
  }

  /** Starts a server with only the given environment. */
  spawn(
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    launcher: readonly string[] = [],
  ): HttpServerProcess {
    const server = new HttpServerProcess({
      flags,
      launcher,
      cwd: this.project,
      environment: { ...this.environment(), ...environment },
    });
    this.adopt(server);
    return server;
  }
}
