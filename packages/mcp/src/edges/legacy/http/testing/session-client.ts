import { expect } from 'vitest';
import type { McpCaller, SessionEndpoint } from '../../../mcp-http-options.ts';
import {
  callerNamed,
  deleteRequest,
  getRequest,
  initialize,
  postRequest,
  type TestCaller,
} from '../../../testing/http-caller.ts';

export type SessionClientOptions = {
  readonly endpoint: SessionEndpoint;
  readonly surface: McpCaller['surface'];
  readonly binding: string;
  readonly sessionId: string;
};

/** Sends requests in one session. */
export class SessionClient {
  readonly sessionId: string;
  readonly #options: SessionClientOptions;

  constructor(options: SessionClientOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
  }

  /** Begins a session; fails the test where that is refused. */
  static async begin(options: Omit<SessionClientOptions, 'sessionId'>): Promise<SessionClient> {
    const { endpoint, surface, binding } = options;
    const response = await endpoint.post(postRequest(), initialize, callerNamed(binding, surface));
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('gemini-mcp-server')]);
    return new SessionClient({ ...options, sessionId: response.headers.get('mcp-session-id') ?? '' });
  }

  /** The same session's id in the hands of somebody else. */
  as(binding: string): SessionClient {
    return new SessionClient({ ...this.#options, binding });
  }

  caller(): TestCaller {
    return callerNamed(this.#options.binding, this.#options.surface);
  }

  post(body: unknown, caller: TestCaller = this.caller()): Promise<Response> {
    return this.#options.endpoint.post(postRequest(this.#header), body, caller);
  }

  get(caller: TestCaller = this.caller(), accept = 'text/event-stream'): Promise<Response> {
    return this.#options.endpoint.get(getRequest({ ...this.#header, accept }), caller);
  }

  delete(): Promise<Response> {
    return this.#options.endpoint.delete(deleteRequest(this.#header), this.caller());
  }

  get #header(): Readonly<Record<string, string>> {
    return { 'mcp-session-id': this.sessionId };
  }
}
