import type { AnswerStore, Executor, UndonePath } from '@gemini-mcp/core';
import { countOf, escapeName } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { deliverableText } from './arguments/run-arguments.ts';
import { fitText } from './fit-result.ts';
import { geminiUndo } from './tool-declarations.ts';

/** Reverts the changes of a run. */
export type UndoRun = Executor['undo'];

export type GeminiUndoToolOptions = {
  readonly undo: UndoRun;
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
};

const description = `Revert the changes of the last or any run: restores its files unless changed since.`;

/** Creates the tool `gemini_undo`. */
export function createGeminiUndoTool({ undo, answers, pageBytes }: GeminiUndoToolOptions): Tool {
  const input = z.strictObject({
    run: z
      .string()
      .regex(/^[\w-]{1,64}$/, { error: 'must be the name of a run, as the result of gemini_agent gives it' })
      .describe('From the result of gemini_agent.'),
    paths: z.array(deliverableText(4_096).min(1)).min(1).max(1_000).optional().describe('Only these; all by default.'),
  });
  const tool: Tool<typeof input> = {
    ...geminiUndo,
    description,
    input,
    run: async ({ run, paths }, { owner, clientName, signal }) => {
      const report = await undo({ runId: run, owner, ...(paths !== undefined && { paths }) }, signal);
      if (!report.found) {
        const text = 'Nothing was undone: you have no such run, or its record has expired.';
        return { text, isError: true, detail: { type: 'refused', reason: 'unknown-run' } };
      }
      const text = await fitText(describe(report.paths), {
        answers,
        owner,
        title: `gemini_undo ${run}`,
        layout: layoutFor(clientName, pageBytes),
      });
      return outcomeOf(text, report.paths);
    },
  };
  return tool;
}

function outcomeOf(text: string, paths: readonly UndonePath[]): ToolOutcome {
  const isRefused = paths.length > 0 && paths.every(({ outcome }) => outcome === 'refused');
  return { text, isError: isRefused };
}

const words: Readonly<Record<UndonePath['outcome'], string>> = {
  restored: 'restored',
  removed: 'removed again',
  'already-as-before': 'is as it was before',
  refused: 'refused',
};

function describe(paths: readonly UndonePath[]): string {
  const refused = paths.filter(({ outcome }) => outcome === 'refused').length;
  const done = countOf(paths.length - refused, 'path');
  const header =
    paths.length === 0 ? 'Nothing to undo: the run changed nothing.' : `Undone: ${done}, refused: ${refused}.`;
  const lines = paths.map(({ path, outcome, reason }) => {
    const why = reason === '' ? '' : `: ${escapeName(reason)}`;
    return `  - ${escapeName(path)} ${words[outcome]}${why}`;
  });
  return [header, ...lines].join('\n');
}
