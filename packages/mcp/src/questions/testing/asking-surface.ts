import * as z from 'zod';
import type { Surface } from '../../surface/surface.ts';
import type { ToolOutcome } from '../../surface/tool.ts';
import type { Ask, QuestionOutcome } from '../question.ts';

export type AskingSurface = {
  readonly surface: Surface;
  /** What the calls got to know, in order. */
  readonly outcomes: readonly unknown[];
};

/** A tool that asks, and answers with what it got to know. */
export function createAskingSurface(
  run: (ask: Ask) => Promise<QuestionOutcome | readonly QuestionOutcome[]>,
): AskingSurface {
  const outcomes: unknown[] = [];
  const tool = {
    name: 'ask',
    title: 'Ask',
    description: 'Asks',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: async (_args: object, { ask }: { readonly ask: Ask }): Promise<ToolOutcome> => {
      const outcome = await run(ask);
      outcomes.push(outcome);
      return { text: JSON.stringify(outcome), isError: false };
    },
  };
  return { surface: { tools: [tool], prompts: [], resources: [] }, outcomes };
}
