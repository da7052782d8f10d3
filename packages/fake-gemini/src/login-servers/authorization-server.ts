import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { LoopbackServer } from './loopback-server.ts';

export type AuthorizationServerOptions = {
  /** Whether clients may register; true if missing. */
  readonly registers?: boolean;
  /** Known clients. */
  readonly clients?: NonNullable<Configuration['clients']>;
  /** Lifetime of access tokens, in seconds. */
  readonly lifeSeconds?: number;
  /** The user's decision about consent. */
  readonly consents?: boolean;
};

/** Answers in place of the server, as a hostile or broken one would, and returns true; returns false for the normal answer. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * `oidc-provider` on loopback, with rotating refresh tokens, resources of any name with the scopes `tools` and `admin`, and a user,
 * `alice`, who is logged in and consents to everything.
 */
export class AuthorizationServer {
  /** Each answer to a token request: the grant, and the error if any. */
  readonly tokenAnswers: string[] = [];
  /** May answer a request itself. */
  interfere: Answering = () => false;
  consents: boolean;
  issuer = '';
  readonly #options: AuthorizationServerOptions;
  readonly #loopback = new LoopbackServer();
  #provider: Provider | undefined;

  constructor(options: AuthorizationServerOptions = {}) {
    this.#options = options;
    this.consents = options.consents ?? true;
  }

  async listen(): Promise<string> {
    this.issuer = await this.#loopback.listen();
    const provider = new Provider(this.issuer, this.#configuration());
    this.#provider = provider;
    provider.on('grant.success', ({ oidc }) => this.tokenAnswers.push(String(oidc.params?.['grant_type'])));
    provider.on('grant.error', ({ oidc }, error) =>
      this.tokenAnswers.push(`${String(oidc.params?.['grant_type'])}: ${error.message}`),
    );
    const answer = provider.callback();
    this.#loopback.server.on('request', (request, response) => {
      if (this.interfere(request, response)) {
        return;
      }
      if (request.url?.startsWith('/interaction/')) {
        void this.#interact(request, response);
        return;
      }
      void answer(request, response);
    });
    return this.issuer;
  }

  /** The scopes of a token that it has issued for a resource; null for any other. */
  async scopesOf(token: string, resource: string): Promise<readonly string[] | null> {
    const found = await this.#provider?.AccessToken.find(token);
    const isFor = found !== undefined && !found.isExpired && [found.aud].flat().includes(resource);
    return isFor ? (found.scope?.split(' ') ?? []) : null;
  }

  /** Ends an access token, and leaves the refresh token of its login. */
  async expire(token: string): Promise<void> {
    await (await this.#provider?.AccessToken.find(token))?.destroy();
  }

  /** How often tokens were refreshed. */
  get refreshes(): number {
    return this.tokenAnswers.filter((answer) => answer === 'refresh_token').length;
  }

  async close(): Promise<void> {
    await this.#loopback.close();
  }

  #configuration(): Configuration {
    const { registers = true, clients = [], lifeSeconds = 300 } = this.#options;
    return {
      clients,
      clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
      scopes: ['openid', 'offline_access', 'tools', 'admin'],
      ttl: { AccessToken: lifeSeconds, RefreshToken: 3_600, Grant: 3_600, Session: 3_600, Interaction: 600 },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
      cookies: { keys: ['a key of a test'] },
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: registers },
        revocation: { enabled: true, allowedPolicy: async () => true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, resource) => ({
            audience: resource,
            scope: 'tools admin',
            accessTokenTTL: lifeSeconds,
            accessTokenFormat: 'opaque',
          }),
        },
      },
    };
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (provider === undefined) {
      return;
    }
    const { params, prompt, session } = await provider.interactionDetails(request, response);
    if (!this.consents) {
      const refusal = { error: 'access_denied', error_description: '<script>alert(1)</script>\u001b[2J no' };
      await provider.interactionFinished(request, response, refusal);
      return;
    }
    if (prompt.name === 'login') {
      await provider.interactionFinished(request, response, { login: { accountId: 'alice' } });
      return;
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? 'alice',
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope('openid offline_access tools admin');
    for (const resource of [params['resource']].flat().filter((one) => typeof one === 'string')) {
      grant.addResourceScope(resource, 'tools admin');
    }
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}
