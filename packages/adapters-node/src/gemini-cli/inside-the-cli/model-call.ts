import type { ModelUsage } from '@gemini-mcp/core';
import * as z from 'zod';

/** Tokens of one request, 0 if the API reported none. */
export type ModelCallUsage = Required<Omit<ModelUsage, 'model'>>;

/** How a request of the CLI to a model ended, as reported by `reportModelCalls`. */
export type ModelCall = {
  /** Whether it was part of the answer; otherwise it served a tool, and only its usage counts. */
  readonly isStreamed: boolean;
  /** The name in the request. */
  readonly model: string | null;
  /** Whether the stream was complete; otherwise it failed, and the CLI reports the reason. */
  readonly isWhole: boolean;
  readonly finishReason: string | null;
  readonly blockReason: string | null;
  readonly modelVersion: string | null;
  /** Tokens that the request used; null if the API did not report them. */
  readonly usage: ModelCallUsage | null;
};

/** The kind of event or update that carries a report. The CLI's own protocols do not use it. */
export const modelCallKind = 'gemini_mcp_model_call' as const;

const word = z.string().max(200).nullable();
const count = z.int().min(0);

const usage: z.ZodType<ModelCallUsage> = z.object({
  inputTokens: count,
  outputTokens: count,
  thoughtTokens: count,
  cachedTokens: count,
  toolTokens: count,
});

/** The members of a report, whatever line carries them. */
export const modelCallShape: {
  readonly isStreamed: z.ZodType<boolean>;
  readonly model: z.ZodType<string | null>;
  readonly isWhole: z.ZodType<boolean>;
  readonly finishReason: z.ZodType<string | null>;
  readonly blockReason: z.ZodType<string | null>;
  readonly modelVersion: z.ZodType<string | null>;
  readonly usage: z.ZodType<ModelCallUsage | null>;
} = {
  isStreamed: z.boolean(),
  model: word,
  isWhole: z.boolean(),
  finishReason: word,
  blockReason: word,
  modelVersion: word,
  usage: usage.nullable(),
};
