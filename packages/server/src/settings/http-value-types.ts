import { isIP } from 'node:net';
import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import * as z from 'zod';
import { parseAuthority } from './parse-authority.ts';
import type { Schema, ValueType } from './value-type.ts';
import { listOf, saying, single } from './value-types.ts';

const hostName = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i;

/** An address or a name to listen on, as Node takes it: without the brackets that an IPv6 address has in URLs. */
export const host: ValueType<string> = single('<host>', () =>
  normalized(normalizeHost, 'is neither an address nor a name, without a port'),
);

/** Names as they are in `Host` headers, in lower case, an IPv6 address in brackets. */
export const allowedHosts: ValueType<readonly string[]> = listOf('<hosts>', () =>
  normalized(normalizeAllowedHost, 'is neither a name nor a name with a port'),
);

/** Origins as browsers write them. */
export const origins: ValueType<readonly string[]> = listOf('<origins>', () =>
  normalized(
    normalizeOrigin,
    'is no origin: only https:// or http://, a name, and perhaps a port, such as https://app.example.com',
  ),
);

/** As it is given: tokens name it letter for letter. */
export const issuer: ValueType<string> = single('<url>', () =>
  z.string().refine((value) => isTrustworthyUrl(value) && isPlain(new URL(value)), {
    error: saying('must be an https URL without user, query or fragment (http only for this machine)'),
  }),
);

/** The address of `/mcp` as clients have it, and as tokens name this server. As it is given. */
export const audience: ValueType<string> = single('<url>', () =>
  z.string().refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value) && isPlain(new URL(value)), {
    error: saying(
      'is not the address of this server as clients have it, such as https://gemini.example.com/mcp, without user, query and fragment',
    ),
  }),
);

/** Never says what was given: it is a secret, if a poor one. */
export const token: ValueType<string> = single('<token>', () =>
  z.string().regex(/^[\x21-\x7e]{32,4096}$/, {
    error:
      'it needs 32 to 4096 characters of visible ASCII without spaces; `openssl rand -base64 32` makes such a token',
  }),
);

/** Takes what `normalize` makes of a text, and refuses where that is null. */
function normalized(normalize: (text: string) => string | null, refusal: string): Schema<string> {
  return z
    .string()
    .refine((value) => normalize(value) !== null, { error: saying(refusal) })
    .transform((value) => normalize(value) ?? value);
}

function normalizeHost(text: string): string | null {
  const bare = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
  const family = isIP(bare);
  // Only digits and dots: an address with a slip in it, which a resolver might still read as some other one.
  const isName = family === 0 && hostName.test(text) && !/^[\d.]+$/.test(text);
  return family === 6 || (bare === text && (family === 4 || isName)) ? bare.toLowerCase() : null;
}

function normalizeAllowedHost(text: string): string | null {
  const authority = parseAuthority(isIP(text) === 6 ? `[${text}]` : text);
  if (authority === null) {
    return null;
  }
  return authority.port === null ? authority.name : `${authority.name}:${authority.port}`;
}

function normalizeOrigin(text: string): string | null {
  if (!URL.canParse(text)) {
    return null;
  }
  const { protocol, origin, href, host: name } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/` && !name.includes('*') ? origin : null;
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}
