import type { IncomingMessage } from 'node:http';

/** A page of another site must not reach a server of this machine through the browser (DNS rebinding). */
export function isLocal({ headers }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  return isLocalHost(host) && (origin === undefined || (URL.canParse(origin) && isLocalHost(new URL(origin).host)));
}

function isLocalHost(host: string): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(host);
}
