import { statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { nearestName } from '@gemini-mcp/core/internal';
import * as z from 'zod';

/** Reads a value out of the text of a variable or a flag. */
export type Schema<Value> = z.ZodType<Value, string>;

/** The rest of a sentence that begins with what was given. Not for secrets. */
export const saying =
  (rest: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    `${JSON.stringify(input)} ${rest}`;

/** Two spellings of one path must be one: by its working directory a client is known again. */
const normalPath = (path: string): string => resolve(path);

export const absolutePath = (): Schema<string> =>
  z
    .string()
    .refine(isAbsolute, { error: saying('is not an absolute path') })
    .transform(normalPath);

export const directory = (): Schema<string> =>
  z
    .string()
    .refine(isAbsolute, { error: saying('is not an absolute path'), abort: true })
    .refine(isDirectory, { error: saying('is not a directory') })
    .transform(normalPath);

/** As search paths are written: `:` between the entries, `;` on Windows. */
export const directories = (): Schema<readonly string[]> =>
  z
    .string()
    .transform((text) => text.split(delimiter).filter((entry) => entry.trim() !== ''))
    .refine(namesSomething, { error: namesNothing })
    .pipe(z.array(directory()));

export const text = (): Schema<string> => z.string();

export const onOrOff = (): Schema<boolean> =>
  z.enum(['0', '1'], { error: saying('is neither 0 nor 1') }).transform((value) => value === '1');

export const oneOf = <Name extends string>(names: readonly Name[]): Schema<Name> =>
  z.enum(names, { error: saying(`is none of ${names.join(', ')}`) });

export const wholeNumber = (minimum: number, maximum: number): Schema<number> => {
  const error = saying(`is not a whole number from ${minimum} to ${maximum}`);
  return z
    .string()
    .refine((value) => /^\d{1,12}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, { error })
    .transform(Number);
};

const modelPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Entries between commas, each once. */
export const listOf = (entry: Schema<string>): Schema<readonly string[]> =>
  z
    .string()
    .transform(splitAtCommas)
    .refine(namesSomething, { error: namesNothing })
    .pipe(z.array(entry))
    .transform((entries) => [...new Set(entries)]);

export const modelNames = (): Schema<readonly string[]> =>
  listOf(z.string().regex(modelPattern, { error: saying('is not the name of a model') }));

/** Names out of a fixed set, each once. A wrong one is answered with the nearest and with the whole set. */
export const namesOutOf = (known: readonly string[]): Schema<readonly string[]> => {
  const error = ({ input }: { readonly input?: unknown }): string => {
    const nearest = nearestName(String(input), known);
    const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
    return `${JSON.stringify(input)} is neither a tool nor a group of tools.${meant} There are ${known.join(', ')}.`;
  };
  return listOf(z.string().refine((name) => known.includes(name), { error }));
};

/** Days; infinite for `forever`. */
export const retentionDays = (): Schema<number> =>
  z
    .string()
    .refine((value) => value === 'forever' || (/^\d{1,5}$/.test(value) && Number(value) <= 36_500), {
      error: saying('is neither a whole number of days from 0 to 36500 nor forever'),
    })
    .transform((value) => (value === 'forever' ? Number.POSITIVE_INFINITY : Number(value)));

function splitAtCommas(value: string): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

/** A list of separators alone is a slip: taken for an empty one, it would offer every tool instead of few. */
const namesNothing = 'only separators stand there, and no name between them';

function namesSomething(names: readonly string[]): boolean {
  return names.length > 0;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Missing, closed to this user, a circle of links, too long a name: none of them is a directory that can be used.
    return false;
  }
}
