import type { LogFields } from '@gemini-mcp/server';
import type { AuthenticateOptions } from '../authenticate.ts';
import { FailureThrottle } from '../failure-throttle.ts';
import { localPrincipal } from '../principal.ts';
import { StaticTokens, tokenDigest } from '../tokens/read-principals.ts';

/** The token that `accessOptions` knows, for everything. */
export const knownToken = 'known-token-0123456789-0123456789';

export type LoggedEvent = { readonly event: string; readonly fields: LogFields | undefined };

/** Access for `knownToken` alone; what is logged goes to `lines`. */
export function accessOptions(lines: LoggedEvent[] = []): AuthenticateOptions {
  return {
    staticTokens: new StaticTokens([{ sha256: tokenDigest(knownToken), principal: localPrincipal }]),
    oauth: null,
    throttle: new FailureThrottle({ maxFailures: 20 }),
    log: { warn: (event, fields) => void lines.push({ event, fields }) },
  };
}
