import { createGemini } from '@gemini-mcp/gemini';
import { tool } from '@langchain/core/tools';
import { z } from 'zod';

const gemini = createGemini();

export const askGemini = tool(
  async ({ prompt, files }, { signal }) => {
    const result = await gemini.ask(prompt, { files, signal });
    return result.ok ? result.text : result.failure.text;
  },
  {
    name: 'ask_gemini',
    description: 'Asks Gemini about files of the project. Name the files; Gemini reads them.',
    schema: z.object({
      prompt: z.string(),
      files: z.array(z.string()).optional().describe('Names or patterns, such as src/**/*.ts'),
    }),
  },
);
