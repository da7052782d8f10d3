import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostNearness } from '@gemini-mcp/core/internal';
import { isSameIssuer } from './find-issuer.ts';
import { LoginProblem } from './login-subject.ts';

type OpenCallbackOptions = {
  /** The redirect URI from the settings, or null. */
  readonly configured: string | null;
  /** The redirect URI of an earlier login, or null. */
  readonly preferred: string | null;
  readonly expected: Omit<CallbackExpected, 'redirectUri'>;
  /** Whether a browser can reach this process; otherwise the user has to paste the address. */
  readonly listens: boolean;
};

/** No service is assigned a port in this range. */
const firstDynamicPort = 49_152;
const lastDynamicPort = 65_536;

type Answer = Exclude<Callback, { readonly type: 'foreign' }>;

export type OpenedCallback = {
  readonly redirectUri: string;
  /** The first answer to this login. */
  readonly answered: Promise<Answer>;
  /** Returns whether the address is the awaited answer. */
  readonly take: (address: string) => boolean;
  close(): Promise<void>;
};

/** Opens the redirect URI for browsers. Rejects with a `LoginProblem` if it cannot. */
export async function openCallback(options: OpenCallbackOptions): Promise<OpenedCallback> {
  const { configured, preferred, expected, listens } = options;
  if (configured !== null && !isHere(configured)) {
    throw new LoginProblem(
      'Its oauth.redirectUri has to be an http address on this machine, such as http://127.0.0.1:7777/oauth/callback.',
    );
  }
  let redirectUri = '';
  let resolve: (callback: Answer) => void = () => undefined;
  const answered = new Promise<Answer>((resolved) => {
    resolve = resolved;
  });
  const take = (address: string): boolean => {
    const callback = readCallback(address, { ...expected, redirectUri });
    if (callback.type === 'foreign') {
      return false;
    }
    resolve(callback);
    return true;
  };
  const server = listens
    ? await listen({ configured, preferred, onAddress: (address) => take(address) })
    : { redirectUri: configured ?? usable(preferred) ?? unheardUri(), close: async () => undefined };
  redirectUri = server.redirectUri;
  return { redirectUri, answered, take, close: () => server.close() };
}

type Listening = {
  readonly configured: string | null;
  readonly preferred: string | null;
  readonly onAddress: (address: string) => boolean;
};

async function listen({ configured, preferred, onAddress }: Listening): Promise<CallbackServer> {
  if (configured !== null) {
    return await openCallbackServer({ redirectUri: configured, onAddress }).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      throw new LoginProblem(`Cannot listen at its oauth.redirectUri (${code}). Is another login waiting there?`);
    });
  }
  const usual = usable(preferred);
  const again = usual === null ? null : await openCallbackServer({ redirectUri: usual, onAddress }).catch(() => null);
  return again ?? (await openCallbackServer({ redirectUri: null, onAddress }));
}

function usable(preferred: string | null): string | null {
  return preferred !== null && isHere(preferred) ? preferred : null;
}

/** An address where probably nothing listens: the browser shows an error, with the address to copy. */
function unheardUri(): string {
  return `http://127.0.0.1:${randomInt(firstDynamicPort, lastDynamicPort)}${callbackPath}`;
}

function isHere(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'http:' && hostNearness(url.hostname) === 'this-machine' && url.hostname !== '[::1]';
}

type CallbackServer = {
  /** The redirect URI for browsers: on this machine, with one path. */
  readonly redirectUri: string;
  close(): Promise<void>;
};

type CallbackServerOptions = {
  /** The registered redirect URI; null for a free port. */
  readonly redirectUri: string | null;
  /** Receives each address that a browser requests. Returns whether it is the awaited one. */
  readonly onAddress: (address: string) => boolean;
};

const callbackPath = '/oauth/callback';

/**
 * Listens on 127.0.0.1 alone, for one path. Answers every other request without effect, so that no page in a browser can end a login. Rejects as
 * `listen` does, for example with `EADDRINUSE`.
 */
async function openCallbackServer({ redirectUri, onAddress }: CallbackServerOptions): Promise<CallbackServer> {
  const named = redirectUri === null ? null : new URL(redirectUri);
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000, keepAliveTimeout: 1 });
  server.maxConnections = 32;
  server.listen(named === null ? 0 : Number(named.port || 80), '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const uri = redirectUri ?? `http://127.0.0.1:${port}${callbackPath}`;
  server.on('request', (request, response) => answer(request, response, { uri, port, onAddress }));
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { redirectUri: uri, close };
}

type Waiting = { readonly uri: string; readonly port: number; readonly onAddress: (address: string) => boolean };

function answer(request: IncomingMessage, response: ServerResponse, { uri, port, onAddress }: Waiting): void {
  const { host = '' } = request.headers;
  const isHere = [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1', 'localhost'].includes(host);
  const address = URL.canParse(request.url ?? '', uri) ? new URL(request.url ?? '', uri) : null;
  const isAsked = isHere && request.method === 'GET' && address?.pathname === new URL(uri).pathname;
  if (!isAsked || address === null || address.origin !== new URL(uri).origin) {
    send(response, 404, 'Not found.');
    return;
  }
  const isTaken = onAddress(address.href);
  send(
    response,
    isTaken ? 200 : 400,
    isTaken
      ? 'You can close this page and go back to the program.'
      : 'This is not the answer to the login in progress, which is still waiting.',
  );
}

/** Never repeats any part of the request. */
function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

type CallbackExpected = {
  /** Where browsers end up. */
  readonly redirectUri: string;
  /** Proves that the answer is to our own request. */
  readonly state: string;
  readonly issuer: string;
  /** Whether the issuer declares that it names itself in each answer. */
  readonly namesIssuer: boolean;
};

export type Callback =
  /** The address does not belong to this login. */
  | { readonly type: 'foreign' }
  | { readonly type: 'code'; readonly code: string }
  /** The issuer or the user refused. The texts are neither shortened nor escaped. */
  | { readonly type: 'refused'; readonly error: string; readonly description: string }
  /** The answer has our state, but comes from another issuer. */
  | { readonly type: 'of-another-issuer' };

const maxCharacters = 8_000;

/** Reads the address that a browser requested. */
function readCallback(address: string, expected: CallbackExpected): Callback {
  const url = address.length <= maxCharacters && URL.canParse(address) ? new URL(address) : null;
  if (url === null || !isOurs(url, expected)) {
    return { type: 'foreign' };
  }
  return isOfIssuer(url, expected) ? readAnswer(url) : { type: 'of-another-issuer' };
}

function isOfIssuer(url: URL, { issuer, namesIssuer }: CallbackExpected): boolean {
  const said = url.searchParams.get('iss');
  return said === null ? !namesIssuer : isSameIssuer(said, issuer);
}

function readAnswer(url: URL): Callback {
  const code = url.searchParams.get('code') ?? '';
  const error = url.searchParams.get('error') ?? (code === '' ? 'no code' : null);
  return error === null
    ? { type: 'code', code }
    : { type: 'refused', error, description: url.searchParams.get('error_description') ?? '' };
}

function isOurs(url: URL, { redirectUri, state }: CallbackExpected): boolean {
  const expected = new URL(redirectUri);
  const [only, ...others] = url.searchParams.getAll('state');
  return url.origin === expected.origin && url.pathname === expected.pathname && only === state && others.length === 0;
}
