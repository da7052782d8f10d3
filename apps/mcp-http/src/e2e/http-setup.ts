import { join } from 'node:path';
import { OfflinePlace, type RunnerUnderTest } from '@gemini-mcp/fake-gemini';
import { HttpServerProcess } from './http-server-process.ts';
import { type PrincipalToWrite, writePrincipals } from './principals.ts';

/** What a server of a setup is told by its environment, unless a test says otherwise. */
export const token = 'a-token-of-the-tests-0123456789-abcdefghij';

/** A directory with all that a server needs, an offline API, and the HTTP servers that were started on them. */
export class HttpSetup extends OfflinePlace {
  /** `runner` is how servers run the CLI; as the environment says, or as they choose, unless given. */
  static async create(runner?: RunnerUnderTest): Promise<HttpSetup> {
    return new HttpSetup(await OfflinePlace.createParts(runner));
  }

  /** Starts a server on a free port, which listens. */
  start(
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    launcher: readonly string[] = [],
  ): Promise<HttpServerProcess> {
    return this.spawn({ GEMINI_MCP_TOKEN: token, GEMINI_MCP_PORT: '0', ...environment }, flags, launcher).ready();
  }

  /** Starts a server for these principals, who have the tokens of `tokenOf`, and for the holder of `token`. */
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

  /** Starts a server with nothing but what is given. */
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
