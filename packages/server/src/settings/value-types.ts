import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import type { ModelChain } from '@gemini-mcp/core';
import { didYouMean } from '@gemini-mcp/core/internal';
import type { Read, Reader, ValueType } from './setting.ts';

/** Accepts the result of `normalize`, and refuses a text if the result is null. The refusal repeats the text: not for secrets. */
function reader<Value>(normalize: (text: string) => Value | null, refusal: string): Reader<Value> {
  return (text) => {
    const value = normalize(text);
    return value === null ? { refusal: `${JSON.stringify(text)} ${refusal}` } : { value };
  };
}

/** A type with a single value, shown exactly as read. */
function single<Value extends string | number>(placeholder: string, read: Reader<Value>): ValueType<Value> {
  return { placeholder, separator: null, read, show: String };
}

const anyText: Reader<string> = (value) => ({ value });

export const text = (placeholder: string): ValueType<string> => single(placeholder, anyText);

const readAbsolute = reader((path) => (isAbsolute(path) ? normalPath(path) : null), 'is not an absolute path');

export const absolutePath = (placeholder: string): ValueType<string> => single(placeholder, readAbsolute);

/** An absolute path, or one word that means no path. */
export const absolutePathOr = (placeholder: string, word: string): ValueType<string> =>
  single(placeholder, (value) =>
    value === word
      ? { value }
      : reader(
          (path) => (isAbsolute(path) ? normalPath(path) : null),
          `is neither an absolute path nor ${word}`,
        )(value),
  );

const readDirectory: Reader<string> = (path) =>
  isAbsolute(path)
    ? reader((absolute) => (isDirectory(absolute) ? normalPath(absolute) : null), 'is not a directory')(path)
    : readAbsolute(path);

export const directory: ValueType<string> = single('<directory>', readDirectory);

/** In the format of search paths: `:` between the entries, `;` on Windows. */
export const directories: ValueType<readonly string[]> = {
  placeholder: '<directories>',
  separator: delimiter,
  show: (values) => values.join(delimiter),
  read: (value) =>
    readEach(
      value.split(delimiter).filter((entry) => entry.trim() !== ''),
      readDirectory,
    ),
};

const switchValues: Readonly<Record<string, boolean>> = { '0': false, '1': true };

export const onOrOff: ValueType<boolean> = {
  placeholder: null,
  separator: null,
  show: (value) => (value ? '1' : '0'),
  read: reader((value) => switchValues[value] ?? null, 'is neither 0 nor 1'),
};

export const choiceOf = <Name extends string>(placeholder: string, names: readonly Name[]): ValueType<Name> =>
  single(placeholder, (value) =>
    reader(
      () => names.find((name) => name === value) ?? null,
      `is not one of ${names.join(', ')}.${didYouMean(value, names)}`,
    )(value),
  );

export const wholeNumber = (placeholder: string, minimum: number, maximum: number): ValueType<number> =>
  single(placeholder, readWholeNumber(minimum, maximum, 1));

/** Written in seconds, parsed to milliseconds. */
export const seconds = (minimum: number, maximum: number): ValueType<number> => ({
  placeholder: '<seconds>',
  separator: null,
  show: (milliseconds) => String(milliseconds / 1_000),
  read: readWholeNumber(minimum, maximum, 1_000),
});

function readWholeNumber(minimum: number, maximum: number, factor: number): Reader<number> {
  return reader(
    (value) => (isWholeNumber(value, minimum, maximum) ? Number(value) * factor : null),
    `is not a whole number from ${minimum} to ${maximum}`,
  );
}

/** Days; infinity for `forever`. */
export const retentionDays: ValueType<number> = single(
  '<days>',
  reader(
    (value) =>
      value === 'forever' ? Number.POSITIVE_INFINITY : isWholeNumber(value, 0, 36_500) ? Number(value) : null,
    'is neither a whole number of days from 0 to 36500 nor forever',
  ),
);

/** Entries separated by commas, without duplicates. */
function listOf(placeholder: string, entry: Reader<string>): ValueType<readonly string[]> {
  const read: Reader<readonly string[]> = (value) => {
    const entries = readEach(splitAtCommas(value), entry);
    return 'refusal' in entries ? entries : { value: [...new Set(entries.value)] };
  };
  return { placeholder, separator: ',', show: (values) => values.join(','), read };
}

const modelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const listOfModels = listOf('<models>', matching(modelPattern, 'is not the name of a model'));

export const modelNames: ValueType<ModelChain> = {
  ...listOfModels,
  read: (value) => {
    const names = listOfModels.read(value);
    if ('refusal' in names) {
      return names;
    }
    const [first = '', ...others] = names.value;
    return { value: [first, ...others] };
  },
};

/** Arbitrary names; `none` means an empty list. */
export const namesOrNone = (placeholder: string): ValueType<readonly string[]> => {
  const list = listOf(placeholder, anyText);
  return {
    ...list,
    read: (value) => {
      const names = list.read(value);
      return 'value' in names && names.value.includes('none') ? { value: [] } : names;
    },
  };
};

/** Names from a fixed set, without duplicates. The error for a wrong name contains the nearest name and the whole set. */
export const namesOutOf = (placeholder: string, known: readonly string[]): ValueType<readonly string[]> =>
  listOf(placeholder, (value) =>
    reader(
      () => (known.includes(value) ? value : null),
      `is neither a tool nor a group of tools.${didYouMean(value, known)} Known names: ${known.join(', ')}.`,
    )(value),
  );

function matching(pattern: RegExp, refusal: string): Reader<string> {
  return reader((value) => (pattern.test(value) ? value : null), refusal);
}

/** Two spellings of one path must be equal, because a client is recognised by its working directory. */
function normalPath(path: string): string {
  return resolve(path);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, unreadable, a symlink loop or too long a name: in each case not a usable directory.
    return false;
  }
}

function isWholeNumber(value: string, minimum: number, maximum: number): boolean {
  return /^\d{1,12}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}

/** A list of separators only is a mistake: read as an empty list, it would offer every tool instead of a few. */
function readEach(entries: readonly string[], read: Reader<string>): Read<readonly string[]> {
  if (entries.length === 0) {
    return { refusal: 'it contains only separators and no names' };
  }
  const results = entries.map(read);
  const refused = results.find((result) => 'refusal' in result);
  return refused ?? { value: results.flatMap((result) => ('value' in result ? [result.value] : [])) };
}

function splitAtCommas(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

const hostName = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i;

/** An address or host name to listen on, in Node's format: an IPv6 address without the brackets it has in URLs. */
export const host: ValueType<string> = single(
  '<host>',
  reader(normalizeHost, 'is neither an address nor a name, without a port'),
);

/** Names in the format of `Host` headers, in lower case, an IPv6 address in brackets. */
export const allowedHosts: ValueType<readonly string[]> = listOf(
  '<hosts>',
  reader(normalizeAllowedHost, 'is neither a name nor a name with a port'),
);

/** Origins in the format of browsers. */
export const origins: ValueType<readonly string[]> = listOf(
  '<origins>',
  reader(
    normalizeOrigin,
    'is not an origin: https:// or http://, a name, and optionally a port, such as https://app.example.com',
  ),
);

/** Unchanged, because it must equal the `iss` of tokens letter for letter. */
export const issuer: ValueType<string> = single(
  '<url>',
  reader(
    (value) => (isTrustworthyUrl(value) && isPlain(new URL(value)) ? value : null),
    'must be an https URL without user, query or fragment (http only for this machine)',
  ),
);

/** The address of `/mcp` as clients use it, unchanged, because it must equal the `aud` of tokens. */
export const audience: ValueType<string> = single(
  '<url>',
  reader(
    (value) => (/^https?:\/\//i.test(value) && URL.canParse(value) && isPlain(new URL(value)) ? value : null),
    'is not the address of this server as clients use it, such as https://gemini.example.com/mcp, without user, query and fragment',
  ),
);

/** Of a Valkey or Redis. The refusal does not contain the value: it may have a password in it. */
export const storeAddress: ValueType<string> = single('<url>', (value) =>
  isStoreAddress(value)
    ? { value }
    : {
        refusal:
          'it is not the address of a Valkey or Redis, such as redis://user@host:6379/0, or rediss:// for TLS; a password belongs in GEMINI_MCP_STORE_PASSWORD_FILE',
      },
);

function isStoreAddress(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname, pathname, password, search, hash } = new URL(text);
  const isPlainAddress = `${password}${search}${hash}` === '' && hostname !== '';
  return /^rediss?:$/.test(protocol) && isPlainAddress && /^(?:\/\d{0,3})?$/.test(pathname);
}

export const storePrefix: ValueType<string> = single(
  '<prefix>',
  matching(/^[\w.-]{1,64}$/, 'is not 1 to 64 letters, digits, ., _ or -'),
);

/** The refusal does not contain the value: it is a secret, if a weak one. */
export const token: ValueType<string> = single('<token>', (value) =>
  /^[\x21-\x7e]{32,4096}$/.test(value)
    ? { value }
    : {
        refusal:
          'it needs 32 to 4096 characters of visible ASCII without spaces; `openssl rand -base64 32` creates such a token',
      },
);

function normalizeHost(text: string): string | null {
  const bare = /^\[(.+)\]$/.exec(text)?.[1] ?? text;
  const family = isIP(bare);
  // Only digits and dots: a mistyped address, which a resolver might still read as a different one.
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

/** A host from a `Host` header. */
export type Authority = {
  /** In lower case; an IPv6 address in its brackets. */
  readonly name: string;
  readonly port: number | null;
};

const pattern = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(\d{1,5}))?$/i;

/** Null if the text is not a name with an optional port. Only case is normalized: `127.1` is not `127.0.0.1`. */
export function parseAuthority(text: string): Authority | null {
  const [, name, digits] = pattern.exec(text) ?? [];
  if (name === undefined) {
    return null;
  }
  const port = digits === undefined ? null : Number(digits);
  return port !== null && port > 65_535 ? null : { name: name.toLowerCase(), port };
}
