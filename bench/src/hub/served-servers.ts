import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpWireClient } from '../http/mcp-wire-client.ts';
import { startOurs } from '../http/start-http-server.ts';
import { serverPath } from '../project-paths.ts';
import { serverEnvironment } from '../server-environment.ts';
import { keepCompiledCode } from '../start-up.ts';
import type { Workbench } from '../workbench.ts';
import { LineClient } from './line-client.ts';
import type { ServerSettings } from './plain-server.ts';

/** How clients reach the built server. */
export type Means = 'stdio' | 'HTTP';

/** The built server, running. */
export type ServedServer = {
  readonly pid: number;
  /** Resolves to the answer to `tools/list`, as it came. */
  readonly list: () => Promise<string>;
  /** Calls a tool. Resolves to the answer, as it came. */
  readonly call: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type ServeOptions = {
  readonly means: Means;
  /** How the tools of the other servers are offered; null for a server that has no others. */
  readonly form: 'auto' | 'listed' | null;
};

/** A home with a settings file, on which the built servers are started. */
export class ServedPlace {
  readonly #workbench: Workbench;
  readonly #home: string;

  private constructor(workbench: Workbench, home: string) {
    this.#workbench = workbench;
    this.#home = home;
  }

  static async open(workbench: Workbench, mcpServers: Readonly<Record<string, ServerSettings>>): Promise<ServedPlace> {
    const home = await workbench.makeDirectory();
    const place = new ServedPlace(workbench, home);
    await writeFile(place.#file, JSON.stringify({ mcpServers }), { mode: 0o600 });
    await keepCompiledCode(workbench, home, serverEnvironment(home));
    return place;
  }

  get #file(): string {
    return join(this.#home, 'servers.json');
  }

  /** Resolves once it has answered `initialize`, or listens. */
  async serve({ means, form }: ServeOptions): Promise<ServedServer> {
    const environment = {
      ...serverEnvironment(this.#home),
      GEMINI_API_KEY: 'none',
      GEMINI_MCP_SERVERS_FILE: form === null ? 'off' : this.#file,
      ...(form !== null && { GEMINI_MCP_OFFER_SERVERS: 'all', GEMINI_MCP_OFFER_AS: form }),
    };
    return means === 'stdio' ? await this.#serveStdio(environment) : await this.#serveHttp(environment);
  }

  /** A server that has listed as many tools of others: it is connected with them, and what they list is kept on the disk. */
  async serveListed(means: Means, tools: number): Promise<ServedServer> {
    const server = await this.serve({ means, form: 'listed' });
    while (countOf(await server.list()) !== tools) {
      // The first lists wait for servers, for a while.
    }
    return server;
  }

  async #serveStdio(environment: Readonly<Record<string, string>>): Promise<ServedServer> {
    const client = await LineClient.open(this.#workbench, {
      file: process.execPath,
      arguments: [serverPath],
      cwd: await this.#workbench.makeDirectory(),
      environment,
    });
    return {
      pid: client.pid,
      list: () => client.request('tools/list'),
      call: (name) => client.request('tools/call', { name, arguments: { text: 'x' } }),
      close: () => client.close(),
    };
  }

  async #serveHttp(environment: Readonly<Record<string, string>>): Promise<ServedServer> {
    const { pid, target, stop } = await startOurs(this.#workbench, {
      ...environment,
      GEMINI_MCP_HTTP_RATE_LIMIT: '1000000',
    });
    const client = await McpWireClient.open(target);
    return {
      pid,
      list: () => client.list(),
      call: async (name) => {
        const caller = await McpWireClient.open({ ...target, call: { name, arguments: { text: 'x' } } });
        return await caller.call().finally(() => caller.close());
      },
      close: stop,
    };
  }
}

/** How many tools of other servers are in a list. */
export function countOf(answer: string): number {
  return answer.split('__tool_').length - 1;
}
