import { createGemini } from '@gemini-mcp/gemini';
import { tool } from 'ai';
import { z } from 'zod';

const gemini = createGemini();

export const askGemini = tool({
  description: 'Asks Gemini about files of the project. Name the files; Gemini reads them.',
  inputSchema: z.object({
    prompt: z.string(),
    files: z.array(z.string()).optional().describe('Names or patterns, such as src/**/*.ts'),
  }),
  execute: async ({ prompt, files }, { abortSignal }) => {
    const result = await gemini.ask(prompt, { files, signal: abortSignal });
    return result.ok ? result.text : result.failure.text;
  },
});
