import { randomInt } from 'node:crypto';
import { hostNearness } from '@gemini-mcp/core/internal';
import { type CallbackServer, callbackPath, openCallbackServer } from './callback-server.ts';
import { LoginProblem } from './login-subject.ts';
import { type Callback, type CallbackExpected, readCallback } from './read-callback.ts';

export type OpenCallbackOptions = {
  /** By the settings; null where they say nothing. */
  readonly configured: string | null;
  /** Of an earlier login; null for none. */
  readonly preferred: string | null;
  readonly expected: Omit<CallbackExpected, 'redirectUri'>;
  /** Whether browsers can bring the answer; otherwise it can only be taken from an address. */
  readonly listens: boolean;
};

/** No service has a port of these by right. */
const firstDynamicPort = 49_152;
const lastDynamicPort = 65_536;

type Answer = Exclude<Callback, { readonly type: 'foreign' }>;

export type OpenedCallback = {
  readonly redirectUri: string;
  /** The first answer to the question that is waited for. */
  readonly answered: Promise<Answer>;
  /** Whether an address is that answer. */
  readonly take: (address: string) => boolean;
  close(): Promise<void>;
};

/** Waits for where browsers are sent. Rejects with a `LoginProblem` where that place cannot be had. */
export async function openCallback(options: OpenCallbackOptions): Promise<OpenedCallback> {
  const { configured, preferred, expected, listens } = options;
  if (configured !== null && !isHere(configured)) {
    throw new LoginProblem(
      'Its oauth.redirectUri has to be an address of http on this machine, such as http://127.0.0.1:7777/oauth/callback.',
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
      throw new LoginProblem(
        `There is no listening at its oauth.redirectUri (${code}). Is another login waiting there?`,
      );
    });
  }
  const usual = usable(preferred);
  const again = usual === null ? null : await openCallbackServer({ redirectUri: usual, onAddress }).catch(() => null);
  return again ?? (await openCallbackServer({ redirectUri: null, onAddress }));
}

function usable(preferred: string | null): string | null {
  return preferred !== null && isHere(preferred) ? preferred : null;
}

/** Where nothing listens, as far as can be known: the browser shows an error, with the address to copy. */
function unheardUri(): string {
  return `http://127.0.0.1:${randomInt(firstDynamicPort, lastDynamicPort)}${callbackPath}`;
}

function isHere(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === 'http:' && hostNearness(url.hostname) === 'this-machine' && url.hostname !== '[::1]';
}
