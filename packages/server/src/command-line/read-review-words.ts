import type { ChangeSelection, Severity } from '@gemini-mcp/core';
import { didYouMean, parseChange, severities } from '@gemini-mcp/core/internal';
import { ConfigurationError } from '../settings/setting.ts';
import { type FlagValues, firstOf } from './read-words.ts';

/** The terminal command that has Gemini review a change. */
export type ReviewMode = {
  readonly kind: 'review';
  /** Null for the usual one: the pull request with `posts`, else the working tree. */
  readonly change: ChangeSelection | null;
  readonly format: (typeof formats)[number];
  /** The least severe findings that are reported. */
  readonly severity: Severity;
  /** The least severe verified finding that makes the exit code 1. */
  readonly failOn: Severity | 'never';
  readonly focus: string | null;
  readonly model: string | null;
  /** The path of an earlier result, whose findings are left out. */
  readonly baselineFile: string | null;
  /** In US dollars. */
  readonly maxCost: number | null;
  /** Whether the findings become comments on the pull request of this workflow. */
  readonly posts: boolean;
};

const formats = ['text', 'json', 'sarif', 'github'] as const;

export const reviewFlags: readonly string[] = [
  ...['change', 'format', 'severity', 'fail-on', 'focus', 'model', 'baseline', 'max-cost', 'post'],
];

/** Reads the flags of `review`. Throws a `ConfigurationError` for an unusable value. */
export function readReviewWords(_: readonly string[], flags: FlagValues): ReviewMode {
  const severity = choose(flags, 'severity', severities, 'low');
  return {
    kind: 'review',
    change: readChange(firstOf(flags, 'change')),
    format: choose(flags, 'format', formats, 'text'),
    severity,
    failOn: choose(flags, 'fail-on', [...severities, 'never'] as const, severity),
    focus: firstOf(flags, 'focus'),
    model: firstOf(flags, 'model'),
    baselineFile: firstOf(flags, 'baseline'),
    maxCost: readDollars(firstOf(flags, 'max-cost')),
    posts: flags.has('post'),
  };
}

function choose<Name extends string>(flags: FlagValues, flag: string, names: readonly Name[], usual: Name): Name {
  const given = firstOf(flags, flag) ?? usual;
  const name = names.find((each) => each === given);
  if (name === undefined) {
    const meant = didYouMean(given, names);
    throw new ConfigurationError(
      `--${flag}: ${JSON.stringify(given)} is unknown.${meant} Choose from ${names.join(', ')}.`,
    );
  }
  return name;
}

function readChange(text: string | null): ChangeSelection | null {
  const parsed = text === null ? null : parseChange(text);
  if (parsed?.ok === false) {
    throw new ConfigurationError(`--change: it ${parsed.problem}`);
  }
  return parsed?.selection ?? null;
}

function readDollars(text: string | null): number | null {
  if (text === null) {
    return null;
  }
  if (!/^\d{1,6}(?:\.\d{1,4})?$/.test(text) || Number(text) === 0) {
    throw new ConfigurationError(`--max-cost: ${JSON.stringify(text)} is no amount. Give US dollars, such as 0.50.`);
  }
  return Number(text);
}
