import type { RequestListener } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import type { RunEvent } from '@gemini-mcp/core';
import { afterEach } from 'vitest';
import { ApiGeminiRunner, type ApiGeminiRunnerOptions } from '../api-gemini-runner.ts';
import { type Asking, ask, collect } from './ask.ts';
import { RawServer } from './raw-server.ts';
import { wallClock } from './wall-clock.ts';

/** Has the shape of Google's keys. */
export const testKey = 'AIzaFake-key_of_the_tests_000000000000';

export type Served = { readonly server: RawServer; readonly runner: ApiGeminiRunner };

/** Starts servers and runners for the tests of one file, and closes both after each test. */
export class RunnerPlace {
  readonly #servers: RawServer[] = [];
  readonly #runners: ApiGeminiRunner[] = [];

  constructor() {
    afterEach(async () => {
      await Promise.all(this.#runners.splice(0).map((runner) => runner.close()));
      await Promise.all(this.#servers.splice(0).map((server) => server.close()));
    });
  }

  /** An HTTP server, and a runner that calls it. */
  async serve(answer: RequestListener): Promise<Served> {
    const server = await RawServer.start(answer);
    this.#servers.push(server);
    return { server, runner: this.runnerAt(server.url) };
  }

  async listen(server: Server): Promise<RawServer> {
    const raw = await RawServer.listen(server);
    this.#servers.push(raw);
    return raw;
  }

  runnerAt(geminiBaseUrl: string, options: Partial<ApiGeminiRunnerOptions> = {}): ApiGeminiRunner {
    const login = { type: 'gemini-key', apiKey: testKey } as const;
    const runner = new ApiGeminiRunner({ login, geminiBaseUrl, clock: wallClock, ...options });
    this.#runners.push(runner);
    return runner;
  }

  /** All events of a run that an HTTP server answers. */
  async answerTo(answer: RequestListener): Promise<readonly RunEvent[]> {
    return collect(ask((await this.serve(answer)).runner));
  }

  /** The same for a server without HTTP: the handler gets the connection once its request begins to arrive. */
  async answerOnSocket(answer: (socket: Socket) => void, asking?: Asking): Promise<readonly RunEvent[]> {
    const server = await this.listen(createServer((socket) => socket.once('data', () => answer(socket))));
    return collect(ask(this.runnerAt(server.url), asking));
  }
}
