import * as z from 'zod';
import { deliverableText } from './run-arguments.ts';

const description = 'Names of other MCP servers whose tools Gemini may call; the user is asked about each call.';

const maxServers = 50;
const maxNameCharacters = 200;

/** The servers whose tools a call gives Gemini. */
export function serversArgument(): z.ZodOptional<z.ZodArray<z.ZodString>> {
  return z.array(deliverableText(maxNameCharacters).min(1)).max(maxServers).optional().describe(description);
}
