import { OfflinePlace, type RunnerUnderTest } from '@gemini-mcp/fake-gemini';
import { ServerProcess } from './server-process.ts';

export type StartDetails = {
  readonly clientName?: string;
  readonly flags?: readonly string[];
  readonly launcher?: readonly string[];
};

/** A directory with all that a server needs, an offline API, and the servers that were started on them. */
export class ServerSetup extends OfflinePlace {
  /** `runner` is how servers run the CLI; as the environment says, or as they choose, unless given. */
  static async create(runner?: RunnerUnderTest): Promise<ServerSetup> {
    return new ServerSetup(await OfflinePlace.createParts(runner));
  }

  /** Starts a server that has answered `initialize`. */
  async start(
    environment: Readonly<Record<string, string>> = {},
    { clientName, flags, launcher }: StartDetails = {},
  ): Promise<ServerProcess> {
    const server = this.spawn(environment, flags, launcher);
    await server.initialize(clientName);
    return server;
  }

  /** Starts a server on a machine without any CLI, with a key for the API. */
  async startWithoutCli(environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const server = new ServerProcess({
      cwd: this.project,
      environment: { ...this.environmentWithoutCli(), ...environment },
    });
    this.adopt(server);
    await server.initialize();
    return server;
  }

  spawn(
    environment: Readonly<Record<string, string>> = {},
    flags: readonly string[] = [],
    launcher: readonly string[] = [],
    cwd: string = this.project,
  ): ServerProcess {
    const server = new ServerProcess({
      flags,
      launcher,
      cwd,
      environment: { ...this.environment(), ...environment },
    });
    this.adopt(server);
    return server;
  }
}
