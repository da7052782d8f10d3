const replacement = '[redacted]';

/** Shorter values are too common as words to search for. */
const shortestSecret = 6;

type Shape = {
  /** A text that every such secret contains, as the source of a pattern. */
  readonly sign: string;
  readonly pattern: RegExp;
};

/**
 * Shapes of secrets to hide wherever they come from. Most match inside words too: in escaped text, the `n` of `\n` comes directly before them. None
 * may take quadratic time, because the text is untrusted.
 */
const shapes: readonly Shape[] = [
  // Google: API keys old and new, access tokens, refresh tokens.
  { sign: 'AIza', pattern: /AIza[0-9A-Za-z_-]{20,}/g },
  { sign: 'AQ\\.', pattern: /AQ\.[0-9A-Za-z_-]{20,}/g },
  { sign: 'ya29\\.', pattern: /ya29\.[0-9A-Za-z_-]{20,}/g },
  { sign: '1(?:/|%2F){2}0', pattern: /1(?:\/|%2F){2}0[0-9A-Za-z_-]{20,}/gi },
  { sign: 'gh[opsur]_', pattern: /gh[opsur]_[0-9A-Za-z]{20,}/g },
  { sign: 'github_pat_', pattern: /github_pat_[0-9A-Za-z_]{20,}/g },
  { sign: 'sk-', pattern: /(?:(?<![0-9A-Za-z])|(?<=\\[nrt]))sk-[0-9A-Za-z_-]{20,}/g },
  // JSON Web Tokens begin with the base64 of `{"`.
  { sign: 'eyJ', pattern: /eyJ[0-9A-Za-z_-]{15,}(?:\.[0-9A-Za-z_-]*)*/g },
  {
    sign: '-----BEGIN ',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { sign: '://', pattern: /(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]+(?=@)/gi },
];

/**
 * Creates a function that removes secrets from a text: the given values, plain, base64, URL-escaped and JSON-escaped, and everything with the shape
 * of a well-known kind of key. Pass whole texts: half a key at a cut is not recognised.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= shortestSecret).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  );
  // Most texts contain no secret. One combined search takes a fiftieth of the time, and a server logs one line for each request.
  const suspicion = new RegExp([...forms.map(escapePattern), ...shapes.map(({ sign }) => sign)].join('|'), 'i');
  return (text) => {
    if (!suspicion.test(text)) {
      return text;
    }
    const withoutValues = forms.reduce((rest, form) => rest.replaceAll(form, replacement), text);
    return shapes.reduce((rest, { pattern }) => rest.replace(pattern, replacement), withoutValues);
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function formsOf(secret: string): readonly string[] {
  const url = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  return [
    secret,
    url,
    url.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    ...base64Forms(bytesOf(url)),
  ];
}

/** UTF-8 bytes from the URL-escaped form: core has no encoder. */
function bytesOf(url: string): readonly number[] {
  return [...url.matchAll(/%([0-9A-F]{2})|[^%]/g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

/**
 * The base64 of a value depends on its position in a longer text, so there are three forms, each without the characters at its ends that depend on
 * neighbouring bytes.
 */
function base64Forms(secret: readonly number[]): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = toBase64([...Array.from({ length: offset }, () => 0), ...secret]);
    const sure = encoded.slice(offset === 0 ? 0 : offset + 1, -2);
    return sure.length >= shortestSecret ? [sure, sure.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
}

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Without padding. */
function toBase64(bytes: readonly number[]): string {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,6}/g) ?? [])
    .map((group) => base64Digits.charAt(Number.parseInt(group.padEnd(6, '0'), 2)))
    .join('');
}
