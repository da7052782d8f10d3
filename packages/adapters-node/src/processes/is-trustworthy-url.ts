import { hostNearness } from '@gemini-mcp/core/internal';

/** Whether what is read there comes from whom it names: over TLS, or from this machine. */
export function isTrustworthyUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hostNearness(hostname) === 'this-machine');
}
