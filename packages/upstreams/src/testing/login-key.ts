import type { Clock } from '@gemini-mcp/core';
import {
  type KnownLogin,
  type LoginEnd,
  type LoginLink,
  type LoginRequest,
  listsInMemory,
  pinsInMemory,
} from '@gemini-mcp/core/internal';
import {
  AuthorizationServer,
  type AuthorizationServerOptions,
  LoginBrowser,
  ProtectedServer,
  type ProtectedServerOptions,
} from '@gemini-mcp/fake-gemini/login-servers';
import { defaultConnectionLimits } from '../connection/connection-limits.ts';
import type { LoginSubject } from '../login/login-subject.ts';
import { Logins, type LoginsOptions } from '../login/logins.ts';
import { readUpstreamConfig } from '../settings/read-upstream-config.ts';
import { UpstreamServer } from '../upstream-server.ts';
import { ChildProcesses } from './child-processes.ts';
import { InMemoryCredentialStore } from './in-memory-credential-store.ts';
import { RealClock } from './real-clock.ts';

const never = new AbortController().signal;

export type LoginOptions = Partial<Omit<LoginRequest, 'onLink'>> & {
  /** Plays the user; by default opens the link and agrees. */
  readonly user?: (link: LoginLink) => Promise<unknown>;
  readonly signal?: AbortSignal;
};

/** An issuer, a server that accepts its tokens, and processes that log in to it. */
export class LoginKey {
  readonly browser: LoginBrowser = new LoginBrowser();
  readonly log: string[] = [];
  readonly store: InMemoryCredentialStore = new InMemoryCredentialStore();
  issuer: AuthorizationServer = new AuthorizationServer();
  server: ProtectedServer = new ProtectedServer({ issuer: this.issuer });
  /** The server's settings besides its address. */
  settings: Readonly<Record<string, unknown>> = {};
  readonly #closing: (() => Promise<void>)[] = [];

  async open(
    issuer: AuthorizationServerOptions = {},
    server: Omit<ProtectedServerOptions, 'issuer'> = {},
  ): Promise<void> {
    this.issuer = new AuthorizationServer(issuer);
    await this.issuer.listen();
    this.server = new ProtectedServer({ issuer: this.issuer, ...server });
    await this.server.listen();
    this.#closing.push(
      () => this.server.close(),
      () => this.issuer.close(),
    );
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0)) {
      await close();
    }
  }

  subject(owner = 'alice', url = this.server.url): LoginSubject {
    const text = JSON.stringify({ mcpServers: { tools: { url, type: 'http', ...this.settings } } });
    const { servers, problems } = readUpstreamConfig(text, 'settings.json');
    const entry = servers.get('tools');
    if (entry === undefined) {
      throw new Error(`no settings: ${JSON.stringify(problems)}`);
    }
    return { entry, url, owner, values: { allowed: [], variables: new Map(), secretOf: () => null } };
  }

  /** The logins of one process. */
  process(options: Partial<LoginsOptions> = {}): Logins {
    return new Logins({
      clock: new RealClock(),
      fetch,
      store: this.store,
      lookup: async () => [],
      openBrowser: async () => false,
      isOfOneUser: true,
      find: async ({ owner }) => ({ found: true, subject: this.subject(owner), headers: {} }),
      ...options,
    });
  }

  /** Logs alice in; she agrees. */
  async logIn(logins: Logins = this.process(), options: LoginOptions = {}): Promise<LoginEnd> {
    const { user = ({ url }) => this.browser.open(url), signal = never, ...request } = options;
    const done: Promise<unknown>[] = [];
    const onLink = (link: LoginLink): void => void done.push(user(link));
    const end = await logins.login(
      { owner: 'alice', server: 'tools', opensBrowser: false, listens: true, scopes: [], ...request, onLink },
      signal,
    );
    await Promise.all(done);
    return end;
  }

  known(owner = 'alice'): Promise<KnownLogin> {
    return this.process().known({ owner, server: 'tools' }, never);
  }

  /** The server as an owner's upstream. */
  upstream(
    logins: Logins = this.process(),
    { owner = 'alice', clock = new RealClock() as Clock, url = '' } = {},
  ): UpstreamServer {
    const subject = this.subject(owner, url || this.server.url);
    const login = logins.of(subject, {});
    const upstream = new UpstreamServer({
      upstreams: {
        clock,
        processes: new ChildProcesses(),
        limits: defaultConnectionLimits,
        client: { name: 'test', version: '1' },
        roots: () => null,
        reach: async () => ({ isKnown: true, transport: { type: 'http', url: subject.url, headers: {} }, ...login }),
        upstreamListStore: listsInMemory(),
        toolPinStore: pinsInMemory(),
        log: (line) => this.log.push(line),
      },
      entry: { ...subject.entry, timeoutMs: 60_000 },
      owner,
      onChange: () => undefined,
    });
    this.#closing.unshift(() => upstream.close());
    return upstream;
  }
}
