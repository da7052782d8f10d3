import * as z from 'zod';
import { quoteValue } from '../content/quote-value.ts';
import { isInMilliseconds, onlyMeaningOf } from './other-names.ts';
import { isJsonObject } from './request-params.ts';
import type { JsonObject, ToolInput } from './tool-input.ts';

export type RepairedArguments = {
  readonly args: unknown;
  /** The changes, such as `query as prompt`, safe to show. `null` for nothing and JSON text for an object are not among them. */
  readonly readings: readonly string[];
};

/**
 * Reads refused arguments as models write them: under their usual other names, `null` or `""` for nothing, one string for a list, JSON in a
 * string, numbers and booleans as strings. Changes only a name or value that the tool refuses as it is, and only if it has exactly one
 * reading. The arguments of other servers' tools stay as they are.
 */
export function repairArguments(input: ToolInput, args: unknown): RepairedArguments {
  if ('jsonSchema' in input || !isJsonObject(args) || Object.keys(args).length > maxNames) {
    return { args, readings: [] };
  }
  const { shape } = input;
  const whole = readWrapper(args, shape);
  const named = readNames(whole.args, shape);
  const valued = readValues(named.args, shape);
  return { args: valued.args, readings: [...whole.readings, ...named.readings, ...valued.readings] };
}

/** Names are compared with each other. */
const maxNames = 100;

type Read = { readonly args: JsonObject; readonly readings: readonly string[] };

type Shape = z.ZodObject['shape'];

const wrappers: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'params', 'parameters', 'kwargs']);

/** Arguments that are the only member of another object. */
function readWrapper(args: JsonObject, shape: Shape): Read {
  const [name, ...others] = Object.keys(args);
  if (name === undefined || others.length > 0 || !wrappers.has(name) || Object.hasOwn(shape, name)) {
    return { args, readings: [] };
  }
  const value = args[name];
  const inner = typeof value === 'string' ? parseJson(value) : value;
  return isJsonObject(inner) ? { args: inner, readings: [`${name} as all arguments`] } : { args, readings: [] };
}

function readNames(args: JsonObject, shape: Shape): Read {
  const given = Object.entries(args).filter(([name, value]) => value !== null || !Object.hasOwn(shape, name));
  const accepted = Object.keys(shape);
  const meanings = given.map(([name, value]) =>
    Object.hasOwn(shape, name) ? name : onlyMeaningOf(name, value, accepted),
  );
  const readings: string[] = [];
  const read = given.flatMap(([name, value], index): readonly (readonly [string, unknown])[] => {
    const meant = meanings[index] ?? null;
    if (meant === null || meant === name) {
      return [[name, value]];
    }
    const rivals = given.filter((_, other) => other !== index && meanings[other] === meant);
    if (rivals.some(([, rival]) => JSON.stringify(rival) !== JSON.stringify(value))) {
      return [[name, value]];
    }
    readings.push(`${showName(name)} as ${meant}`);
    return [[meant, meant === 'timeout' && isInMilliseconds(name) ? secondsOf(value) : value]];
  });
  return { args: Object.fromEntries(read), readings };
}

/** A name with an accepted spelling can still have any other characters in between. */
function showName(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : quoteValue(name);
}

function secondsOf(milliseconds: unknown): unknown {
  const value = typeof milliseconds === 'string' ? numberIn(milliseconds) : milliseconds;
  return typeof value === 'number' ? Math.ceil(value / 1_000) : milliseconds;
}

function readValues(args: JsonObject, shape: Shape): Read {
  const read = Object.entries(args).map(([name, value]) => ({ name, ...readField(shape, name, value) }));
  return {
    args: Object.fromEntries(read.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    readings: read.flatMap(({ name, said }) => (said === null ? [] : [`${name}: ${said}`])),
  };
}

function readField(shape: Shape, name: string, value: unknown): Reading {
  const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return (field === undefined ? null : readValue(name, field, value)) ?? { value, said: null };
}

function accepts(field: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(field, value).success;
}

type Reading = {
  /** Undefined for nothing. */
  readonly value: unknown;
  /** Null if the account need not mention it. */
  readonly said: string | null;
};

/** Blank could also mean a Gemini without instructions, or a conversation that was not found. */
const neverBlank: ReadonlySet<string> = new Set(['systemPrompt', 'sessionId']);

/** They allow something or pay for it, so a guess is not enough: the server's own key is no substitute for a blank one. */
const alwaysExact: ReadonlySet<string> = new Set(['yolo', 'apiKey']);

/** The only reading of a value; null if it is accepted already, or has several or no readings. */
function readValue(name: string, field: z.core.$ZodType, value: unknown): Reading | null {
  if (accepts(field, value)) {
    return null;
  }
  if (value === null) {
    return { value: undefined, said: null };
  }
  if (alwaysExact.has(name)) {
    return null;
  }
  if (value === '' && !neverBlank.has(name) && accepts(field, undefined)) {
    return readAs('', undefined);
  }
  const reading = readKind(name, field, value);
  return reading !== null && accepts(field, reading.value) ? reading : null;
}

/** Kinds of values that have no quotes in JSON, so that the word `null` cannot be one. */
const unquotedKinds: ReadonlySet<string> = new Set(['number', 'boolean', 'record']);

function readKind(name: string, field: z.core.$ZodType, value: unknown): Reading | null {
  const kind = kindOf(field);
  if (kind === 'string') {
    return name === 'model' && typeof value === 'string' ? readAs(value, modelIn(value)) : readText(value);
  }
  const text = kind === 'boolean' && typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? readWord(kind, text) : null;
}

function kindOf(field: z.core.$ZodType): string {
  const { def } = (field as z.core.$ZodTypes)._zod;
  return def.type === 'optional' || def.type === 'default' ? kindOf(def.innerType) : def.type;
}

function readWord(kind: string, text: string): Reading | null {
  const isNothing = unquotedKinds.has(kind) && /^\s*(?:null|none|undefined)\s*$/i.test(text);
  return isNothing ? readAs(text, undefined) : (readers[kind]?.(text) ?? null);
}

const readers: Readonly<Record<string, (text: string) => Reading | null>> = {
  array: readList,
  record: readObject,
  number: readNumber,
  boolean: readBoolean,
  enum: (text) => readAs(text, text.trim().toLowerCase()),
};

/** A comma or a line end can separate names and be a part of one, except that in `*.{ts,js}` it is a part. */
function readList(text: string): Reading | null {
  const parsed = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  if (Array.isArray(parsed)) {
    return { value: parsed, said: 'JSON text as a list' };
  }
  return /[,\n]/.test(text.replace(/\{[^{}]*\}/g, '')) ? null : { value: [text], said: 'one text as a list' };
}

function readObject(text: string): Reading | null {
  const value = parseJson(text);
  return value === undefined ? null : { value, said: null };
}

function readBoolean(text: string): Reading | null {
  const isYes = /^\s*(?:true|yes|1)\s*$/i.test(text);
  return isYes || /^\s*(?:false|no|0)\s*$/i.test(text) ? readAs(text, isYes) : null;
}

function readText(value: unknown): Reading | null {
  if (Array.isArray(value)) {
    return value.length === 1 && typeof value[0] === 'string'
      ? { value: value[0], said: 'a list as its only text' }
      : null;
  }
  return Number.isSafeInteger(value) ? { value: String(value), said: 'a number as text' } : null;
}

/** Google's own form is `models/gemini-…`, that of routers `google/gemini-…`. */
function modelIn(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:models|google)\//, '')
    .replace(/[ _]+/g, '-');
}

function readNumber(text: string): Reading | null {
  const value = numberIn(text);
  return value === undefined ? null : readAs(text, value);
}

function readAs(written: string, value: unknown): Reading {
  return { value, said: `${quoteValue(written)} as ${value === undefined ? 'nothing' : String(value)}` };
}

function numberIn(text: string): number | undefined {
  return /^\s*[+-]?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : undefined;
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const maxShown = 5;

/** The readings as one line of an account. */
export function describeReadings(readings: readonly string[]): string {
  const shown = readings.slice(0, maxShown);
  const hidden = readings.length - shown.length;
  return `Arguments were read as meant: ${[...shown, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; ')}.`;
}
