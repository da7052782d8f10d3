import { once } from 'node:events';
import type { Jobs } from '@gemini-mcp/core';
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../../../../surface/tool.ts';
import { workInBackground, workInForeground } from '../../../../tools/work.ts';

export type PuppetTool = {
  readonly tool: Tool;
  /** Lets all work end. */
  readonly finish: () => void;
  /** The number of works that wait to be let end, or did. */
  readonly begun: () => number;
  /** The ends of the work, in order. */
  readonly endings: readonly string[];
};

const input = z.strictObject({
  ask: z.array(z.string()).default([]),
  askFirst: z.string().optional(),
  background: z.boolean().default(false),
  ends: z.enum(['well', 'badly', 'by throwing']).default('well'),
});

/** A tool that asks for each of these words, then works until the test lets it end, and returns the outcomes. */
export function createPuppetTool(jobs: Jobs<ToolOutcome>): PuppetTool {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const endings: string[] = [];
  let begun = 0;
  const tool: Tool<typeof input> = {
    name: 'work',
    title: 'Work',
    description: 'Works',
    input,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async ({ ask: words, askFirst, background, ends }, context) => {
      const ask = (word: string, signal: AbortSignal): Promise<unknown> =>
        context.ask({ handle: word, message: `${word}?`, choices: [{ name: 'yes', label: 'Yes' }] }, signal);
      const outcomes = askFirst === undefined ? [] : [await ask(askFirst, context.signal)];
      const work = async (onProgress: (news: { type: 'status'; text: string }) => void, signal: AbortSignal) => {
        onProgress({ type: 'status', text: 'Thinking' });
        await new Promise(setImmediate);
        for (const word of words) {
          outcomes.push(await ask(word, signal));
        }
        begun += 1;
        await Promise.race([finished, abortOf(signal)]);
        endings.push(signal.aborted ? 'aborted' : ends);
        if (ends === 'by throwing') {
          throw new Error('A bug');
        }
        return { text: JSON.stringify(outcomes), isError: signal.aborted || ends === 'badly' };
      };
      const options = { jobs, title: 'Work', work };
      return background ? workInBackground(options, context) : workInForeground(options, context);
    },
  };
  return { tool, finish: () => finish(), begun: () => begun, endings };
}

async function abortOf(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await once(signal, 'abort');
  }
}
