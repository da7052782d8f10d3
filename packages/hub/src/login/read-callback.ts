import { isSameIssuer } from './is-same-issuer.ts';

export type CallbackExpected = {
  /** Where browsers are sent in the end. */
  readonly redirectUri: string;
  /** Only the answer to our own question knows it. */
  readonly state: string;
  readonly issuer: string;
  /** The issuer says that it names itself in each answer. */
  readonly namesIssuer: boolean;
};

export type Callback =
  /** It belongs to no question of ours. */
  | { readonly type: 'foreign' }
  | { readonly type: 'code'; readonly code: string }
  /** The issuer, or the user, said no. Its own words, neither capped nor escaped. */
  | { readonly type: 'refused'; readonly error: string; readonly description: string }
  /** It knows our question, and comes from somebody else than the one that was asked. */
  | { readonly type: 'of-another-issuer' };

const maxCharacters = 8_000;

/** Reads the address to which a browser was sent. */
export function readCallback(address: string, expected: CallbackExpected): Callback {
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
