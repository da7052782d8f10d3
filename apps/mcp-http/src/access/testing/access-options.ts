import type { LogFields } from '@gemini-mcp/server';
import type { AuthenticateOptions } from '../authenticate.ts';
import { FailureThrottle } from '../failure-throttle.ts';
import { localPrincipal } from '../principal.ts';
import { StaticTokens, tokenDigest } from '../tokens/read-principals.ts';

/** The token of `accessOptions`, with all rights. */
export const knownToken = 'known-token-0123456789-0123456789';

export type LoggedEvent = { readonly event: string; readonly fields: LogFields | undefined };

/** Access for `knownToken` only; log lines go to `lines`. */
export function accessOptions(lines: LoggedEvent[] = []): AuthenticateOptions {
  return {
    staticTokens: new StaticTokens([{ sha256: tokenDigest(knownToken), principal: localPrincipal }]),
    oauth: null,
    throttle: new FailureThrottle({ maxFailures: 20 }),
    log: { warn: (event, fields) => void lines.push({ event, fields }) },
  };
}
