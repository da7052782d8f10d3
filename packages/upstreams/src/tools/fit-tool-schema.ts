import { type FitSchema, fitInputSchema } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';

/** Converts a tool's argument schema to one that every Gemini API accepts, or says why it cannot. See `fitInputSchema`. */
export function fitToolSchema(inputSchema: unknown): FitSchema {
  return fitInputSchema(inputSchema, digestOf);
}
