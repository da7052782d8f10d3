import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact-secrets.ts';

/** Characters of keys, and characters that are escaped; no text that the replacement itself could complete. */
const secret = fc
  .string({ unit: fc.constantFrom(...'AZaz09_-+/=.:"\\ %&é日\n'), minLength: 6, maxLength: 60 })
  .filter((value) => !'[redacted]'.includes(value.slice(0, 1)) && !'[redacted]'.includes(value.slice(-1)));

const surroundings = fc.string({ unit: 'binary', maxLength: 40 });

const encodings: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  'URL-escaped': encodeURIComponent,
  'URL-escaped in small letters': (value) =>
    encodeURIComponent(value).replace(/%../g, (escaped) => escaped.toLowerCase()),
  'JSON-escaped': (value) => JSON.stringify(value).slice(1, -1),
  'JSON in JSON': (value) => JSON.stringify(JSON.stringify({ value })).slice(1, -1),
};

describe('createRedactor, known secrets', () => {
  it.each(Object.entries(encodings))('SECRET-05: hides a secret %s, whatever is around it', (_, encode) => {
    fc.assert(
      fc.property(secret, surroundings, surroundings, (value, before, after) => {
        const redacted = createRedactor([value])(`${before}${encode(value)}${after}`);
        expect(redacted).toContain('[redacted]');
        expect(redacted).not.toContain(value);
        // JSON in JSON keeps its own frame; the escaped value itself must be gone.
        expect(redacted).not.toContain(JSON.stringify(value).slice(1, -1));
        expect(redacted).not.toContain(encodeURIComponent(value));
      }),
    );
  });

  it.each(['base64', 'base64url'] as const)('SECRET-05: hides a secret anywhere in a text in %s', (encoding) => {
    fc.assert(
      fc.property(secret, surroundings, surroundings, (value, before, after) => {
        const encoded = Buffer.from(`${before}${value}${after}`).toString(encoding);
        const redacted = createRedactor([value])(`token=${encoded};`);
        expect(redacted).toMatch(/^token=.*\[redacted\].*;$/s);
        const rest = redacted.slice('token='.length, -1).split('[redacted]');
        const decoded = rest.map((piece) => Buffer.from(piece, encoding).toString());
        // At each end of the gap up to three characters may stay that also hold bits of the neighbours.
        expect(decoded.join('')).not.toContain(value);
        expect(rest.join('').length).toBeLessThanOrEqual(
          encoded.length - Math.floor((Buffer.byteLength(value) * 4) / 3) + 6,
        );
      }),
    );
  });

  it('hides every occurrence of every secret, the longer one if one contains the other', () => {
    const redact = createRedactor(['secret-one', 'secret-one-and-two']);
    expect(redact('secret-one secret-one-and-two secret-one')).toBe('[redacted] [redacted] [redacted]');
  });

  it('ignores secrets too short to distinguish from text', () => {
    expect(createRedactor(['', 'a', 'token'])('a token, and "" too')).toBe('a token, and "" too');
  });

  it('accepts a secret that is not a well-formed text', () => {
    expect(createRedactor(['\ud800broken'])('x \ud800broken y')).toBe('x [redacted] y');
  });
});

const filler = 'abcDEF123_-ghiJKL456';

describe('createRedactor, shapes', () => {
  it.each([
    ['Google API key', `AIza${filler}`],
    ['newer Google API key', `AQ.${filler}`],
    ['Google access token', `ya29.${filler}`],
    ['Google refresh token', `1//0${filler}`],
    ['Google refresh token in a URL', `1%2F%2f0${filler}`],
    ['GitHub token', 'ghp_abcdefghij0123456789'],
    ['fine-grained GitHub token', 'github_pat_abcdefghij_0123456789'],
    ['OpenAI key', `sk-${filler}`],
    ['JSON Web Token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['unsigned JSON Web Token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'],
    ['encrypted JSON Web Token', 'eyJhbGciOiJub25lIn0.a1.b2.c3.d4'],
    ['private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE/+==\n-----END RSA PRIVATE KEY-----'],
    ['private key in JSON', '-----BEGIN PRIVATE KEY-----\\nMIIE/+==\\n-----END PRIVATE KEY-----'],
    ['PGP key', '-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQ==\n-----END PGP PRIVATE KEY BLOCK-----'],
  ])('SECRET-05: hides a %s, also after the escape of a line end', (_, value) => {
    const redact = createRedactor([]);
    expect(redact(`x "${value}" y`)).toBe('x "[redacted]" y');
    expect(redact(`{"text":"a\\n${value}"}`)).toBe('{"text":"a\\n[redacted]"}');
    expect(redact(`${value}\n${value}`)).toBe('[redacted]\n[redacted]');
  });

  it('SECRET-05: hides a private key whose end is missing', () => {
    expect(createRedactor([])('a -----BEGIN EC PRIVATE KEY-----\nMHc\nCAQ')).toBe('a [redacted]');
  });

  it.each([
    ['https://user:token@host/path', 'https://[redacted]@host/path'],
    ['https://token@host', 'https://[redacted]@host'],
    ['git+ssh://user:p@ss:w@rd@host:22/x', 'git+ssh://[redacted]@host:22/x'],
    ['HTTP://u:p@h and https://v:q@i', 'HTTP://[redacted]@h and https://[redacted]@i'],
  ])('SECRET-05: hides who logs in at %s', (url, expected) => {
    expect(createRedactor([])(url)).toBe(expected);
  });

  it.each([
    'https://host/path?mail=me@example.com',
    'https://host/@scope/package',
    '"https://host","me@example.com"',
    'a task-oriented-assistant-of-some-length',
    'The key begins with AIza and eyJ, or sk-, as said.',
  ])('leaves %s alone', (harmless) => {
    expect(createRedactor([])(harmless)).toBe(harmless);
  });

  it.each([
    'eyJ-',
    'eyJ0123456789abcdefgh.',
    'a://',
    'a://b:',
    'sk-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY----- ',
    'a+',
    '1//0',
    '@',
  ])('reads megabytes of %j without going through them again for each', (piece) => {
    // A search that took time by the square of this would not end within a test.
    const text = piece.repeat(4_000_000 / piece.length);
    expect(createRedactor(['some-known-secret'])(`${text}some-known-secret`)).toMatch(/\[redacted\]$/);
  });
});
