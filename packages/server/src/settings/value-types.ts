import { statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { ModelChain } from '@gemini-mcp/core';
import { didYouMean } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Schema, ValueType } from './value-type.ts';

/** The rest of a sentence that begins with what was given. Not for secrets. */
export const saying =
  (rest: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    `${JSON.stringify(input)} ${rest}`;

/** A type with one value, which is shown as it is read. */
export function single<Value extends string | number>(
  placeholder: string,
  schema: () => Schema<Value>,
): ValueType<Value> {
  return { placeholder, separator: null, schema, show: String };
}

export const text = (placeholder: string): ValueType<string> => single(placeholder, () => z.string());

export const absolutePath = (placeholder: string): ValueType<string> => single(placeholder, absolute);

/** An absolute path, or one word that stands for none. */
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

/** As search paths are written: `:` between the entries, `;` on Windows. */
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

export const oneOf = <Name extends string>(placeholder: string, names: readonly Name[]): ValueType<Name> =>
  single(placeholder, () =>
    z.enum(names, {
      error: ({ input }) =>
        `${JSON.stringify(input)} is not one of ${names.join(', ')}.${didYouMean(String(input), names)}`,
    }),
  );

export const wholeNumber = (placeholder: string, minimum: number, maximum: number): ValueType<number> =>
  single(placeholder, () => wholeNumberSchema(minimum, maximum));

/** Given in seconds, read as milliseconds. */
export const seconds = (minimum: number, maximum: number): ValueType<number> => ({
  placeholder: '<seconds>',
  separator: null,
  show: (milliseconds) => String(milliseconds / 1_000),
  schema: () => wholeNumberSchema(minimum, maximum).transform((value) => value * 1_000),
});

/** Days; infinite for `forever`. */
export const retentionDays: ValueType<number> = single('<days>', () =>
  z
    .string()
    .refine((value) => value === 'forever' || isWholeNumber(value, 0, 36_500), {
      error: saying('is neither a whole number of days from 0 to 36500 nor forever'),
    })
    .transform((value) => (value === 'forever' ? Number.POSITIVE_INFINITY : Number(value))),
);

/** Entries between commas, each once. */
export function listOf(placeholder: string, entry: () => Schema<string>): ValueType<readonly string[]> {
  return { placeholder, separator: ',', show: (values) => values.join(','), schema: () => listSchema(entry()) };
}

const modelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const modelName = (): Schema<string> => z.string().regex(modelPattern, { error: saying('is not the name of a model') });

export const modelNames: ValueType<ModelChain> = {
  ...listOf('<models>', modelName),
  schema: () => listSchema(modelName()).transform(([first = '', ...others]): ModelChain => [first, ...others]),
};

/** Names of any kind; `none` stands for none of them. */
export const namesOrNone = (placeholder: string): ValueType<readonly string[]> => ({
  ...listOf(placeholder, () => z.string()),
  schema: () => listSchema(z.string()).transform((names) => (names.includes('none') ? [] : names)),
});

/** Names out of a fixed set, each once. A wrong one is answered with the nearest and with the whole set. */
export const namesOutOf = (placeholder: string, known: readonly string[]): ValueType<readonly string[]> => {
  const error = ({ input }: { readonly input?: unknown }): string => {
    return `${JSON.stringify(input)} is neither a tool nor a group of tools.${didYouMean(String(input), known)} There are ${known.join(', ')}.`;
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

/** Two spellings of one path must be one: a client is recognised by its working directory. */
function normalPath(path: string): string {
  return resolve(path);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, closed to this user, a circle of links, too long a name: none of them is a directory that can be used.
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

/** A list of separators alone is a slip: read as an empty one, it would offer every tool instead of few. */
const namesNothing = 'it has only separators, and no name between them';

function namesSomething(names: readonly string[]): boolean {
  return names.length > 0;
}
