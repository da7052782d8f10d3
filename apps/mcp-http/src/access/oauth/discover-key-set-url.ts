import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import * as z from 'zod';
import { type Fetch, fetchJson, IssuerUnavailable } from './fetch-json.ts';

const metadata = z.object({ issuer: z.string(), jwks_uri: z.string() });

const limits = { timeoutMs: 5_000, maxBytes: 262_144 } as const;

/** Where an issuer may keep its metadata, in the order in which MCP clients ask: RFC 8414, then OpenID Connect's two ways. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/**
 * The address of the issuer's keys, as its metadata has it. Rejects with `IssuerUnavailable` where there is no metadata, where
 * it is another issuer's, or where the keys would come over a line that anybody can change.
 */
export async function discoverKeySetUrl(issuer: string, fetch: Fetch): Promise<URL> {
  const reasons: string[] = [];
  for (const url of metadataUrls(issuer)) {
    const fetched = await fetchJson(url, { fetch, ...limits });
    const read = fetched.ok ? readKeySetUrl(issuer, fetched.json) : fetched.reason;
    if (typeof read !== 'string') {
      return read;
    }
    reasons.push(fetched.ok ? `${url}: ${read}` : read);
    if (!fetched.ok && !fetched.answered) {
      // The others are at the same server.
      break;
    }
  }
  throw new IssuerUnavailable(reasons.join('; '));
}

/** The address, or why there is none. */
function readKeySetUrl(issuer: string, json: unknown): URL | string {
  const read = metadata.safeParse(json);
  if (!read.success) {
    return 'is no metadata of an issuer with keys';
  }
  if (read.data.issuer !== issuer) {
    return 'is the metadata of another issuer than GEMINI_MCP_OAUTH_ISSUER names';
  }
  return isTrustworthyUrl(read.data.jwks_uri) ? new URL(read.data.jwks_uri) : 'its jwks_uri is no https address';
}
