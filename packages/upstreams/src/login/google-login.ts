import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { GoogleAuth, GoogleAuthOptions } from 'google-auth-library';
import type { LoginSubject } from './login-subject.ts';
import type { ServerLogin } from './server-login.ts';

export type GoogleLoginOptions = {
  readonly subject: LoginSubject;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Google's endpoints; defaults to the real ones. */
  readonly google?: GoogleEndpoints;
};

/** For tests, and for Google at another address. */
export type GoogleEndpoints = {
  readonly auth: GoogleAuthOptions;
  readonly impersonation: string;
};

/** Returns headers for one request. They go only to a Google server, or to the server that the audience names. */
type Authorize = (url: string) => Promise<ReadonlyMap<string, string>>;

const hosts = ['googleapis.com', 'luci.app', 'run.app'];

const timeLimitMs = 30_000;
const marginMs = 300_000;

/**
 * A login with the Google credentials of the person who runs this server: their access token or, with a service account, an identity token for
 * its audience. Loads the library with the first request.
 */
export class GoogleLogin implements ServerLogin {
  readonly #options: GoogleLoginOptions;
  readonly #origin: string;
  readonly #authorize: Authorize;

  constructor(options: GoogleLoginOptions) {
    this.#options = options;
    this.#origin = new URL(options.subject.url).origin;
    const { authProviderType } = options.subject.entry;
    this.#authorize = authProviderType === 'google_credentials' ? accessTokens(options) : identityTokens(options);
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const { fetch, subject } = this.#options;
    const url = new URL(input instanceof Request ? input.url : input);
    if (input instanceof Request || url.origin !== this.#origin) {
      return await fetch(input, init);
    }
    const problem = hostProblem(url, subject);
    const added = problem === null ? await this.#inTime(subject.url) : problem;
    if (typeof added === 'string') {
      throw new TypeError('fetch failed', { cause: new Error(added) });
    }
    const headers = new Headers(init.headers);
    for (const [name, value] of added) {
      headers.set(name, value);
    }
    return await fetch(url, { ...init, headers });
  };

  /** Google credentials may have appeared in the meantime: each request asks for them. */
  readonly hasNewLogin = async (): Promise<boolean> => true;

  readonly whyRefused = async (): Promise<null> => null;

  async #inTime(url: string): Promise<ReadonlyMap<string, string> | string> {
    const over = new AbortController();
    const late = sleepUnlessAborted(this.#options.clock, timeLimitMs, over.signal).then(
      () => 'Google gave no token within 30 s',
    );
    const authorized = this.#authorize(url).catch(describeGoogleError);
    const result = await Promise.race([authorized, late]);
    over.abort();
    return result;
  }
}

function hostProblem({ protocol, hostname }: URL, { entry }: LoginSubject): string | null {
  if (protocol !== 'https:') {
    return 'Google tokens go only to https addresses';
  }
  const isGoogles = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return entry.authProviderType === 'google_credentials' && !isGoogles
    ? `Google credentials go only to ${hosts.join(', ')} and their subdomains`
    : null;
}

function accessTokens({ subject, google }: GoogleLoginOptions): Authorize {
  let opened: Promise<GoogleAuth> | undefined;
  const scopes = [...(subject.entry.oauth?.scopes ?? [])];
  return async (url) => {
    opened ??= openAuth({ ...google?.auth, scopes });
    const client = await (await opened).getClient();
    const headers = await client.getRequestHeaders(url);
    const wanted = ['authorization', 'x-goog-user-project'].map((name) => [name, headers.get(name)] as const);
    return new Map(wanted.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
  };
}

function identityTokens({ subject, clock, google }: GoogleLoginOptions): Authorize {
  const { targetAudience, targetServiceAccount } = subject.entry;
  let known: { readonly token: string; readonly expiresAtMs: number } | null = null;
  return async () => {
    if (known === null || clock.now() > known.expiresAtMs - marginMs) {
      const library = await import('google-auth-library');
      const scopes = ['https://www.googleapis.com/auth/cloud-platform'];
      const sourceClient = await (await openAuth({ ...google?.auth, scopes })).getClient();
      const impersonated = new library.Impersonated({
        sourceClient,
        targetPrincipal: targetServiceAccount ?? '',
        targetScopes: scopes,
        lifetime: 3_600,
        ...(google && { endpoint: google.impersonation }),
      });
      const token = await impersonated.fetchIdToken(targetAudience ?? '', { includeEmail: true });
      known = { token, expiresAtMs: expiryOf(token) ?? clock.now() + marginMs };
    }
    return new Map([['authorization', `Bearer ${known.token}`]]);
  };
}

async function openAuth(options: GoogleAuthOptions): Promise<GoogleAuth> {
  const library = await import('google-auth-library');
  return new library.GoogleAuth(options);
}

function expiryOf(token: string): number | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const expires = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : null;
    return typeof expires === 'number' ? expires * 1_000 : null;
  } catch {
    return null;
  }
}

/** Never quotes the library's message, which may contain a whole answer from Google. */
function describeGoogleError(error: unknown): string {
  if (error instanceof Error && 'code' in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code))) {
    return 'Google credentials need the package google-auth-library (version 10), which is not installed';
  }
  const said = error instanceof Error ? error.message.split('\n')[0] : '';
  const isMissing = said?.startsWith('Could not load the default credentials') === true;
  return isMissing
    ? 'this machine has no Google credentials: run gcloud auth application-default login'
    : 'Google gave no token for its credentials';
}
