import { SystemClock } from '@gemini-mcp/adapters-node';
import { type Surface, serveStdio, type Tool } from '@gemini-mcp/mcp';
import { z } from 'zod';

const input = z.strictObject({ text: z.string().max(100_000).describe('The text whose words are counted.') });

const countWords: Tool<typeof input> = {
  name: 'count_words',
  title: 'Count words',
  description: 'Counts the words of a text.',
  input,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ text }) => ({ text: `${text.match(/\S+/g)?.length ?? 0} words`, isError: false }),
};

const surface: Surface = { tools: [countWords], prompts: [], resources: [] };
const server = {
  version: '1.0.0',
  clock: new SystemClock(),
  log: console.error,
  ownerOf: (clientName: string | null) => clientName ?? 'unknown',
  surface,
};
const { stdin, stdout } = process;
const { callsEnded } = await serveStdio({ stdin, stdout, server }, new AbortController().signal);
await callsEnded;
