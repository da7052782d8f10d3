import type { RunnerCapabilities, ThinkingLevel } from '@gemini-mcp/core';
import { hostNearness, isWebAddress } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { JsonObject } from '../../input/tool-input.ts';
import { deliverableText } from './deliverable-text.ts';

const thinkingLevels = ['low', 'medium', 'high'] as const satisfies readonly ThinkingLevel[];

const descriptions = {
  schema: 'JSON Schema. The answer is JSON that fits it.',
  thinking: 'How much Gemini thinks.',
} as const;

export type AnswerArguments = {
  readonly schema: z.ZodOptional<z.ZodType<JsonObject, JsonObject>>;
  readonly thinking: z.ZodOptional<z.ZodEnum<{ readonly [Level in ThinkingLevel]: Level }>>;
  readonly urls: z.ZodOptional<z.ZodArray<z.ZodString>>;
};

/** What only some runners can do. */
export type RunnerSkills = Partial<Pick<RunnerCapabilities, 'thinking' | 'urls'>>;

/** Those that the server would refuse in every call. A call that gives one anyway is told so. */
export function unlistedAnswerArguments({
  thinking = false,
  urls = false,
}: RunnerSkills): readonly (keyof AnswerArguments)[] {
  return [...(thinking ? [] : (['thinking'] as const)), ...(urls ? [] : (['urls'] as const))];
}

/** What the answer is to be like, and to rest on besides files. The schema itself is looked at when the tool runs: that takes more than zod. */
export function answerArguments(): AnswerArguments {
  return {
    schema: z.record(z.string(), z.unknown()).optional().describe(descriptions.schema),
    thinking: z.enum(thinkingLevels).optional().describe(descriptions.thinking),
    urls: pageUrls(),
  };
}

/** The API refuses a request with more addresses. */
const maxUrls = 20;
const maxCharacters = 2_000;

const description = 'Web pages to read.';

/**
 * Pages of the web that Google reads for an answer. It reaches no private network: such an address would tell it a name and get
 * nothing.
 */
export function pageUrls(): z.ZodOptional<z.ZodArray<z.ZodString>> {
  const address = deliverableText(maxCharacters).check((context) => {
    const problem = problemOf(context.value);
    if (problem !== null) {
      context.issues.push({ code: 'custom', message: problem, input: context.value });
    }
  });
  return z.array(address).max(maxUrls, { abort: true }).optional().describe(description);
}

function problemOf(text: string): string | null {
  if (!isWebAddress(text) || !URL.canParse(text)) {
    return 'must be an http or https address, without spaces';
  }
  const { username, password, hostname } = new URL(text);
  if (username !== '' || password !== '') {
    return 'must have no user name and no password: Google would get them';
  }
  return hostNearness(hostname) === 'public'
    ? null
    : 'must be an address of the public web: Google reads the page, and reaches neither this machine nor its network';
}
