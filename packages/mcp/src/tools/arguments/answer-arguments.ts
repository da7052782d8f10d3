import type { ThinkingLevel } from '@gemini-mcp/core';
import * as z from 'zod';
import type { JsonObject } from '../../input/tool-input.ts';

const thinkingLevels = ['low', 'medium', 'high'] as const satisfies readonly ThinkingLevel[];

const descriptions = {
  schema: 'JSON Schema. The answer is JSON that fits it.',
  thinking: 'How much Gemini thinks.',
} as const;

export type AnswerArguments = {
  readonly schema: z.ZodOptional<z.ZodType<JsonObject, JsonObject>>;
  readonly thinking: z.ZodOptional<z.ZodEnum<{ readonly [Level in ThinkingLevel]: Level }>>;
};

/** What the answer is to be like. The schema itself is looked at when the tool runs: that takes more than zod. */
export function answerArguments(): AnswerArguments {
  return {
    schema: z.record(z.string(), z.unknown()).optional().describe(descriptions.schema),
    thinking: z.enum(thinkingLevels).optional().describe(descriptions.thinking),
  };
}
