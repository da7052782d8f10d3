import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isTrustworthyUrl } from '@gemini-mcp/adapters-node/internal/startup';
import type { ModelChain } from '@gemini-mcp/core';
import { didYouMean } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Schema, ValueType } from './setting.ts';

/** An error message that begins with the given value. Not for secrets. */
const saying =
  (rest: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    `${JSON.stringify(input)} ${rest}`;

/** A type with a single value, shown exactly as read. */
function single<Value extends string | number>(placeholder: string, schema: () => Schema<Value>): ValueType<Value> {
  return { placeholder, separator: null, schema, show: String };
}

export const text = (placeholder: string): ValueType<string> => single(placeholder, () => z.string());

export const absolutePath = (placeholder: string): ValueType<string> => single(placeholder, absolute);

/** An absolute path, or one word that means no path. */
export const absolutePathOr = (placeholder: string, word: string): ValueType<string> =>
  single(placeholder, () =>
    z
      .string()
      .refine((value) => value === word || isAbsolute(value), {
        error: saying(`is neither an absolute path nor ${word}`),
      })
      .transform((value) => (value === word ? value : normalPath(value))),
  );

export const directory: ValueType<string> = single('<directory>', existingDirectory);

/** In the format of search paths: `:` between the entries, `;` on Windows. */
export const directories: ValueType<readonly string[]> = {
  placeholder: '<directories>',
  separator: delimiter,
  show: (values) => values.join(delimiter),
  schema: () =>
    z
      .string()
      .transform((value) => value.split(delimiter).filter((entry) => entry.trim() !== ''))
      .refine(namesSomething, { error: namesNothing })
      .pipe(z.array(existingDirectory())),
};

export const onOrOff: ValueType<boolean> = {
  placeholder: null,
  separator: null,
  show: (value) => (value ? '1' : '0'),
  schema: () => z.enum(['0', '1'], { error: saying('is neither 0 nor 1') }).transform((value) => value === '1'),
};

export const choiceOf = <Name extends string>(placeholder: string, names: readonly Name[]): ValueType<Name> =>
  single(placeholder, () =>
    z.enum(names, {
      error: ({ input }) =>
        `${JSON.stringify(input)} is not one of ${names.join(', ')}.${didYouMean(String(input), names)}`,
    }),
  );

export const wholeNumber = (placeholder: string, minimum: number, maximum: number): ValueType<number> =>
  single(placeholder, () => wholeNumberSchema(minimum, maximum));

/** Written in seconds, parsed to milliseconds. */
export const seconds = (minimum: number, maximum: number): ValueType<number> => ({
  placeholder: '<seconds>',
  separator: null,
  show: (milliseconds) => String(milliseconds / 1_000),
  schema: () => wholeNumberSchema(minimum, maximum).transform((value) => value * 1_000),
});

/** Days; infinity for `forever`. */
export const retentionDays: ValueType<number> = single('<days>', () =>
  z
    .string()
    .refine((value) => value === 'forever' || isWholeNumber(value, 0, 36_500), {
      error: saying('is neither a whole number of days from 0 to 36500 nor forever'),
    })
    .transform((value) => (value === 'forever' ? Number.POSITIVE_INFINITY : Number(value))),
);

/** Entries separated by commas, without duplicates. */
function listOf(placeholder: string, entry: () => Schema<string>): ValueType<readonly string[]> {
  return { placeholder, separator: ',', show: (values) => values.join(','), schema: () => listSchema(entry()) };
}

const modelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const modelName = (): Schema<string> => z.string().regex(modelPattern, { error: saying('is not the name of a model') });

export const modelNames: ValueType<ModelChain> = {
  ...listOf('<models>', modelName),
  schema: () => listSchema(modelName()).transform(([first = '', ...others]): ModelChain => [first, ...others]),
};

/** Arbitrary names; `none` means an empty list. */
export const namesOrNone = (placeholder: string): ValueType<readonly string[]> => ({
  ...listOf(placeholder, () => z.string()),
  schema: () => listSchema(z.string()).transform((names) => (names.includes('none') ? [] : names)),
});

/** Names from a fixed set, without duplicates. The error for a wrong name contains the nearest name and the whole set. */
export const namesOutOf = (placeholder: string, known: readonly string[]): ValueType<readonly string[]> => {
  const error = ({ input }: { readonly input?: unknown }): string => {
    return `${JSON.stringify(input)} is neither a tool nor a group of tools.${didYouMean(String(input), known)} Known names: ${known.join(', ')}.`;
  };
  return listOf(placeholder, () => z.string().refine((name) => known.includes(name), { error }));
};

function absolute(): Schema<string> {
  return z
    .string()
    .refine(isAbsolute, { error: saying('is not an absolute path') })
    .transform(normalPath);
}

function existingDirectory(): Schema<string> {
  return z
    .string()
    .refine(isAbsolute, { error: saying('is not an absolute path'), abort: true })
    .refine(isDirectory, { error: saying('is not a directory') })
    .transform(normalPath);
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

function wholeNumberSchema(minimum: number, maximum: number): Schema<number> {
  const error = saying(`is not a whole number from ${minimum} to ${maximum}`);
  return z
    .string()
    .refine((value) => isWholeNumber(value, minimum, maximum), { error })
    .transform(Number);
}

function isWholeNumber(value: string, minimum: number, maximum: number): boolean {
  return /^\d{1,12}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum;
}

function listSchema(entry: Schema<string>): Schema<readonly string[]> {
  return z
    .string()
    .transform(splitAtCommas)
    .refine(namesSomething, { error: namesNothing })
    .pipe(z.array(entry))
    .transform((entries) => [...new Set(entries)]);
}

function splitAtCommas(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/** A list of separators only is a mistake: parsed as an empty list, it would offer every tool instead of a few. */
const namesNothing = 'it contains only separators and no names';

function namesSomething(names: readonly string[]): boolean {
  return names.length > 0;
}

const hostName = /^(?!-)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i;

/** An address or host name to listen on, in Node's format: an IPv6 address without the brackets it has in URLs. */
export const host: ValueType<string> = single('<host>', () =>
  normalized(normalizeHost, 'is neither an address nor a name, without a port'),
);

/** Names in the format of `Host` headers, in lower case, an IPv6 address in brackets. */
export const allowedHosts: ValueType<readonly string[]> = listOf('<hosts>', () =>
  normalized(normalizeAllowedHost, 'is neither a name nor a name with a port'),
);

/** Origins in the format of browsers. */
export const origins: ValueType<readonly string[]> = listOf('<origins>', () =>
  normalized(
    normalizeOrigin,
    'is not an origin: https:// or http://, a name, and optionally a port, such as https://app.example.com',
  ),
);

/** Unchanged, because it must equal the `iss` of tokens letter for letter. */
export const issuer: ValueType<string> = single('<url>', () =>
  z.string().refine((value) => isTrustworthyUrl(value) && isPlain(new URL(value)), {
    error: saying('must be an https URL without user, query or fragment (http only for this machine)'),
  }),
);

/** The address of `/mcp` as clients use it, unchanged, because it must equal the `aud` of tokens. */
export const audience: ValueType<string> = single('<url>', () =>
  z.string().refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value) && isPlain(new URL(value)), {
    error: saying(
      'is not the address of this server as clients use it, such as https://gemini.example.com/mcp, without user, query and fragment',
    ),
  }),
);

/** Error messages never contain the value: it is a secret, if a weak one. */
export const token: ValueType<string> = single('<token>', () =>
  z.string().regex(/^[\x21-\x7e]{32,4096}$/, {
    error:
      'it needs 32 to 4096 characters of visible ASCII without spaces; `openssl rand -base64 32` creates such a token',
  }),
);

/** Accepts the result of `normalize`, and rejects a text if the result is null. */
function normalized(normalize: (text: string) => string | null, refusal: string): Schema<string> {
  return z
    .string()
    .refine((value) => normalize(value) !== null, { error: saying(refusal) })
    .transform((value) => normalize(value) ?? value);
}

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
