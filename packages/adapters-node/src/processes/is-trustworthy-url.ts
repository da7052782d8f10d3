import { hostNearness } from '@gemini-mcp/core/internal';

/** Whether the connection authenticates the host in the URL: over TLS, or to this machine. */
export function isTrustworthyUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hostNearness(hostname) === 'this-machine');
}
