import { randomBytes } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import {
  aborted,
  type ClientRegistration,
  type CredentialStore,
  type LoginEnd,
  type LoginLink,
  type LoginRequest,
  raceAbort,
  type ServerCredential,
  sleepUnlessAborted,
} from '@gemini-mcp/core/internal';
import { chooseClient } from './choose-client.ts';
import { describeLoginError, describeRefusal } from './describe-login-error.ts';
import { type FoundIssuer, findIssuer, revocationUrlOf } from './find-issuer.ts';
import { createGuardedFetch, EndpointJudge, type HostLookup } from './guarded-fetch.ts';
import { type AuthorizationParts, loadAuthorization } from './load-authorization.ts';
import { LoginProblem, type LoginSubject, loginAddress } from './login-subject.ts';
import { type Callback, type OpenedCallback, openCallback } from './open-callback.ts';
import { clientInformation, readTokens, withAudiences } from './token-requests.ts';

/** The ports that a login needs. */
export type LoginDependencies = {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly store: CredentialStore;
  readonly lookup: HostLookup;
  /** Opens an address in a browser of this machine. Resolves to whether it could try. Never rejects. */
  readonly openBrowser: (url: string) => Promise<boolean>;
};

/** Logs in to a server and saves the credential that its issuer grants. Never rejects. */
export async function logIn(
  subject: LoginSubject,
  request: Omit<LoginRequest, 'owner' | 'server'>,
  means: LoginDependencies,
  signal: AbortSignal,
): Promise<LoginEnd> {
  return await new Login(subject, request, means, await loadAuthorization(), signal).run();
}

/** Browsers and terminals accept longer links, but no issuer needs them. */
const maxLinkCharacters = 16_000;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

class Login {
  readonly #subject: LoginSubject;
  readonly #request: Omit<LoginRequest, 'owner' | 'server'>;
  readonly #means: LoginDependencies;
  readonly #parts: AuthorizationParts;
  readonly #signal: AbortSignal;
  readonly #judge: EndpointJudge;
  readonly #fetch: Fetch;
  readonly #server: string;
  /** Secrets that were sent to the issuer. */
  readonly #sent: (string | null)[] = [];

  constructor(
    subject: LoginSubject,
    request: Omit<LoginRequest, 'owner' | 'server'>,
    means: LoginDependencies,
    parts: AuthorizationParts,
    signal: AbortSignal,
  ) {
    this.#subject = subject;
    this.#request = request;
    this.#means = means;
    this.#parts = parts;
    this.#signal = signal;
    this.#server = loginAddress(subject.url);
    this.#judge = new EndpointJudge(new URL(this.#server), means.lookup);
    this.#fetch = createGuardedFetch({ ...means, judge: this.#judge }, signal);
  }

  /** Never rejects. */
  async run(): Promise<LoginEnd> {
    try {
      return await this.#logIn();
    } catch (error) {
      return this.#signal.aborted
        ? { type: 'cancelled' }
        : { type: 'failed', detail: describeLoginError(error, this.#parts, this.#sent) };
    }
  }

  async #logIn(): Promise<LoginEnd> {
    const { entry, url } = this.#subject;
    await this.#judge.check(this.#server);
    const first = await askForLogin({ ...this.#means, url, type: entry.transport.type }, this.#signal);
    if (first.status >= 200 && first.status < 300 && entry.oauth === null) {
      return { type: 'not-needed', detail: 'It needs no login.' };
    }
    const { oauth } = entry;
    const means = { parts: this.#parts, server: this.#server, oauth, judge: this.#judge, fetch: this.#fetch };
    const found = await findIssuer({ ...means, challenge: first.challenge });
    return await this.#askUser(found);
  }

  async #askUser(found: FoundIssuer): Promise<LoginEnd> {
    const { metadata } = found;
    const problem = await this.#means.store.prepare();
    if (problem !== null) {
      throw new LoginProblem(problem);
    }
    const known = await this.#known();
    const scopes = this.#scopesFor(found, known);
    const state = randomBytes(32).toString('base64url');
    const namesIssuer =
      'authorization_response_iss_parameter_supported' in metadata &&
      metadata['authorization_response_iss_parameter_supported'] === true;
    const isOfClient = this.#subject.entry.oauth?.clientId == null;
    const callback = await openCallback({
      configured: this.#subject.entry.oauth?.redirectUri ?? null,
      preferred: isOfClient ? (known?.client.redirectUri ?? null) : null,
      expected: { state, issuer: metadata.issuer, namesIssuer },
      listens: this.#request.listens,
    });
    try {
      const client = await this.#client(found, { scopes, known, redirectUri: callback.redirectUri });
      const { link, verifier } = await this.#link(found, { client, scopes, state });
      const answer = await waitForCode({ link, callback, request: this.#request, ...this.#means }, this.#signal);
      switch (answer.type) {
        case 'code':
          return await this.#exchange(found, { client, scopes, known, verifier, code: answer.code });
        case 'refused':
          return { type: 'failed', detail: describeRefusal(answer.error, answer.description) };
        case 'of-another-issuer':
          throw new LoginProblem('The answer to the login came from another issuer and was not used.');
        case 'late':
          throw new LoginProblem('No answer came within ten minutes.');
      }
    } finally {
      await callback.close();
    }
  }

  async #known(): Promise<ServerCredential | null> {
    const place = { owner: this.#subject.owner, server: this.#server };
    // This login replaces a credential that cannot be read.
    const found = await this.#means.store.find(place, this.#signal).catch(() => null);
    this.#signal.throwIfAborted();
    return found?.credential ?? null;
  }

  #scopesFor({ scopes, metadata }: FoundIssuer, known: ServerCredential | null): readonly string[] {
    const wanted = [...scopes, ...(known?.wantedScopes ?? []), ...this.#request.scopes];
    const isLasting = metadata.scopes_supported?.includes('offline_access') && wanted.length > 0;
    return [...new Set([...wanted, ...(isLasting ? ['offline_access'] : [])])];
  }

  async #client({ metadata }: FoundIssuer, asking: Omit<Asking, 'client'> & { readonly redirectUri: string }) {
    const { entry, values } = this.#subject;
    const { parts, means } = { parts: this.#parts, means: this.#means };
    const nowMs = means.clock.now();
    return await chooseClient({ parts, metadata, oauth: entry.oauth, values, nowMs, fetch: this.#fetch, ...asking });
  }

  async #link(
    { metadata, resource }: FoundIssuer,
    { client, scopes, state }: Omit<Asking, 'known'> & { readonly state: string },
  ) {
    const { authorizationUrl, codeVerifier } = await this.#parts.startAuthorization(metadata.issuer, {
      metadata,
      clientInformation: clientInformation(client),
      redirectUrl: client.redirectUri,
      state,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(resource !== null && { resource: new URL(resource) }),
    });
    for (const audience of this.#subject.entry.oauth?.audiences ?? []) {
      authorizationUrl.searchParams.append('audience', audience);
    }
    if (resource !== null) {
      authorizationUrl.searchParams.set('resource', resource);
    }
    const link = (await this.#judge.check(authorizationUrl)).href;
    if (link.length > maxLinkCharacters) {
      throw new LoginProblem('The login address of its issuer is too long for a browser.');
    }
    const isSecret = client.secret !== null && this.#subject.entry.oauth?.clientSecret != null;
    const secretGoesTo = isSecret ? new URL(String(metadata.token_endpoint)).origin : null;
    return { link: { url: link, issuer: new URL(metadata.issuer).origin, secretGoesTo }, verifier: codeVerifier };
  }

  async #exchange(
    { metadata, resource }: FoundIssuer,
    { client, scopes, known, verifier, code }: Asking & { readonly verifier: string; readonly code: string },
  ): Promise<LoginEnd> {
    const { clock } = this.#means;
    this.#sent.push(code, verifier, client.secret);
    const issued = await this.#parts.exchangeAuthorization(metadata.issuer, {
      metadata,
      clientInformation: clientInformation(client),
      authorizationCode: code,
      codeVerifier: verifier,
      redirectUri: client.redirectUri,
      ...(resource !== null && { resource: new URL(resource) }),
      fetchFn: withAudiences(this.#fetch, this.#subject.entry.oauth?.audiences ?? []),
    });
    const credential: ServerCredential = {
      server: this.#server,
      resource,
      issuer: metadata.issuer,
      tokenUrl: String(metadata.token_endpoint),
      tokenMethods: metadata.token_endpoint_auth_methods_supported ?? [],
      revocationUrl: revocationUrlOf(metadata),
      client,
      ...readTokens(issued, { nowMs: clock.now(), asked: scopes }),
      refusal: null,
      wantedScopes: known?.wantedScopes ?? [],
      renewal: null,
      updatedAtMs: clock.now(),
    };
    await keepCredential({ store: this.#means.store, owner: this.#subject.owner, credential }, this.#signal);
    return { type: 'logged-in', issuer: metadata.issuer, scopes: credential.tokens.scopes };
  }
}

type Asking = {
  readonly client: ClientRegistration;
  readonly scopes: readonly string[];
  readonly known: ServerCredential | null;
};

/** A server's answer to a client without a login. */
type FirstAnswer = {
  readonly status: number;
  /** Its login challenge; empty if it sent none. */
  readonly challenge: string;
};

const timeLimitMs = 30_000;
const maxChallengeCharacters = 2_000;

const greeting = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'gemini-mcp-server', version: '1' },
  },
});

/** Calls a server without a login, and reads only the head of its answer. Rejects as `fetch` does. */
async function askForLogin(
  {
    url,
    type,
    fetch,
    clock,
  }: { readonly url: string; readonly type: string; readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
  signal: AbortSignal,
): Promise<FirstAnswer> {
  const late = new AbortController();
  const over = new AbortController();
  void sleepUnlessAborted(clock, timeLimitMs, over.signal).then((isOver) => isOver && late.abort());
  const asked: RequestInit =
    type === 'sse'
      ? { headers: { accept: 'text/event-stream' } }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: greeting,
        };
  try {
    const response = await fetch(url, { ...asked, redirect: 'manual', signal: AbortSignal.any([signal, late.signal]) });
    await response.body?.cancel().catch(() => undefined);
    const challenge = response.headers.get('www-authenticate') ?? '';
    return { status: response.status, challenge: challenge.slice(0, maxChallengeCharacters) };
  } finally {
    over.abort();
  }
}

type WaitForCodeOptions = {
  readonly link: Omit<LoginLink, 'answer'>;
  readonly callback: OpenedCallback;
  readonly request: Pick<LoginRequest, 'onLink' | 'opensBrowser'>;
  readonly clock: Clock;
  readonly openBrowser: (url: string) => Promise<boolean>;
};

type WaitedFor = Exclude<Callback, { readonly type: 'foreign' }> | { readonly type: 'late' };

const patienceMs = 600_000;

/** Shows the link and waits for the user's answer. Rejects only on abort. */
async function waitForCode(options: WaitForCodeOptions, signal: AbortSignal): Promise<WaitedFor> {
  const { link, callback, request, clock, openBrowser } = options;
  request.onLink({ ...link, answer: callback.take });
  if (request.opensBrowser) {
    await openBrowser(link.url);
  }
  const over = new AbortController();
  const late = sleepUnlessAborted(clock, patienceMs, over.signal).then((): WaitedFor => ({ type: 'late' }));
  try {
    const answer = await raceAbort(Promise.race([callback.answered, late]), signal);
    if (answer === aborted) {
      throw signal.reason;
    }
    return answer;
  } finally {
    over.abort();
  }
}

type CredentialToKeep = {
  readonly store: CredentialStore;
  readonly owner: string;
  readonly credential: ServerCredential;
};

/** Another process that renews the old tokens may save at the same time. */
const maxTries = 10;

/** Saves a login's credential in place of all others for its server. Rejects with a `LoginProblem`. */
async function keepCredential(toKeep: CredentialToKeep, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const expectedVersion = await makeRoom(toKeep, signal);
    const saved = await toKeep.store.save(toKeep.owner, { credential: toKeep.credential, expectedVersion }, signal);
    if (saved.saved) {
      return;
    }
    if (saved.reason === 'unavailable') {
      throw new LoginProblem(`The login could not be saved: ${saved.detail}.`);
    }
  }
  throw new LoginProblem('The login could not be saved: other processes keep changing it.');
}

/** Returns the version to save over. Removes a credential of another issuer, and one that cannot be read, for example because its key is missing. */
async function makeRoom({ store, owner, credential }: CredentialToKeep, signal: AbortSignal): Promise<number> {
  const { server, issuer } = credential;
  const place = { owner, server };
  const kept = await store.find(place, signal).catch(() => 'unreadable' as const);
  signal.throwIfAborted();
  if (kept !== null && kept !== 'unreadable' && kept.credential.issuer === issuer) {
    return kept.version;
  }
  const problem = await store.remove(place, signal);
  if (problem !== null) {
    throw new LoginProblem(`The login could not be saved. ${problem}`);
  }
  return 0;
}
