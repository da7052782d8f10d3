import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';

/**
 * Makes the SDK carry a signal to the handler of a request. What it calls the authentication is the one thing that it passes from
 * a transport to the handlers untouched; of the authentication itself nothing is in it, since that is over before.
 */
export function carrySignal(signal: AbortSignal): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { signal } };
}

/** The signal that came with a message, or null where its transport sent none. */
export function carriedSignal(authInfo: AuthInfo | undefined): AbortSignal | null {
  const signal = authInfo?.extra?.['signal'];
  return signal instanceof AbortSignal ? signal : null;
}
