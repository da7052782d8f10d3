import * as z from 'zod';
import { type ModelCall, modelCallKind, modelCallShape } from '../inside-the-cli/model-call.ts';

/**
 * The events of `--output-format stream-json` that we use (Gemini CLI 0.61.0), the reports of our preloaded script among them, and all
 * others as `unknown`.
 */
export type StreamJsonEvent =
  | { type: 'unknown' }
  | { type: 'init' }
  | { type: 'message'; role: string; content: string }
  | { type: 'tool_use'; tool_name: string; tool_id: string }
  | {
      type: 'tool_result';
      tool_id: string;
      status: string;
      output?: string | undefined;
      error?: { message: string } | undefined;
    }
  | ({ type: typeof modelCallKind } & ModelCall)
  | { type: 'error'; message: string }
  | {
      type: 'result';
      status: string;
      error?: { message: string } | undefined;
      stats?: { models?: Record<string, StreamJsonModelStats> | undefined } | undefined;
    };

/** `cached` is part of `input_tokens`; versions that do not report it leave it out. */
type StreamJsonModelStats = { input_tokens: number; output_tokens: number; cached?: number | undefined };

const modelStats = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cached: z.number().optional().catch(undefined),
});

const eventSchema: z.ZodType<Exclude<StreamJsonEvent, { type: 'unknown' }>> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init') }),
  z.object({ type: z.literal('message'), role: z.string(), content: z.string() }),
  z.object({ type: z.literal('tool_use'), tool_name: z.string(), tool_id: z.string() }),
  z.object({
    type: z.literal('tool_result'),
    tool_id: z.string(),
    status: z.string(),
    // A broken detail of a result must not cost the result, here and below.
    output: z.string().optional().catch(undefined),
    error: z.object({ message: z.string() }).optional().catch(undefined),
  }),
  z.object({ type: z.literal(modelCallKind), ...modelCallShape }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({
    type: z.literal('result'),
    status: z.string(),
    // An answer without statistics is still an answer.
    error: z.object({ message: z.string() }).optional().catch(undefined),
    stats: z
      .object({ models: z.record(z.string(), modelStats).optional() })
      .optional()
      .catch(undefined),
  }),
]);

/** Reads one line of the stream; null if it is not a JSON object. */
export function parseStreamJsonEvent(line: string): StreamJsonEvent | null {
  if (!line.startsWith('{')) {
    return null;
  }
  try {
    const event = eventSchema.safeParse(JSON.parse(line));
    return event.success ? event.data : { type: 'unknown' };
  } catch {
    return null;
  }
}
