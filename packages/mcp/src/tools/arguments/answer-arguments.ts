import type { RunnerCapabilities, ThinkingLevel } from '@gemini-mcp/core';
import * as z from 'zod';
import type { JsonObject } from '../../input/tool-input.ts';
import { pageUrls } from './page-urls.ts';

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
