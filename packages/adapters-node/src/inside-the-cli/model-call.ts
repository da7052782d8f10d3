import { parseAnswerEnding } from '@gemini-mcp/core';
import * as z from 'zod';
import type { CliOutcome } from '../gemini-cli/reading/cli-outcome.ts';

/** How a request of the CLI to a model ended, as `reportModelCalls` told it. */
export type ModelCall = {
  /** Whether the stream came to its end; otherwise it failed, and the CLI says how. */
  readonly isWhole: boolean;
  readonly finishReason: string | null;
  readonly blockReason: string | null;
  readonly modelVersion: string | null;
};

/** The kind of event or update that carries a report. No kind of the CLI's own protocols. */
export const modelCallKind = 'gemini_mcp_model_call' as const;

const word = z.string().max(200).nullable();

/** The members of a report, whatever line carries them. */
export const modelCallShape: {
  readonly isWhole: z.ZodType<boolean>;
  readonly finishReason: z.ZodType<string | null>;
  readonly blockReason: z.ZodType<string | null>;
  readonly modelVersion: z.ZodType<string | null>;
} = { isWhole: z.boolean(), finishReason: word, blockReason: word, modelVersion: word };

/** What the last report of a run says about its outcome: nothing where there was none, or the request failed. */
export function toldByCall(call: ModelCall | null): Pick<CliOutcome, 'ending' | 'modelVersion'> {
  if (call === null || !call.isWhole) {
    return {};
  }
  const { modelVersion } = call;
  return { ending: parseAnswerEnding(call), ...(modelVersion !== null && { modelVersion }) };
}
