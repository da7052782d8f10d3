import { type FitSchema, fitInputSchema } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';

/** The schema of a tool's arguments as every Gemini API takes it, or why there is none, as `fitInputSchema` says. */
export function fitToolSchema(inputSchema: unknown): FitSchema {
  return fitInputSchema(inputSchema, digestOf);
}
