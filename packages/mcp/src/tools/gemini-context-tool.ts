import { type AnswerStore, describeFailure, type PreviewContext } from '@gemini-mcp/core';
import { formatPreview } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { Tool } from '../surface/tool.ts';
import { answerArguments, compileAnswerForm } from './arguments/answer-arguments.ts';
import {
  type ContextArgumentsOptions,
  contextArguments,
  unlistedContextArguments,
} from './arguments/context-arguments.ts';
import { deliverableText } from './arguments/run-arguments.ts';
import { fitText } from './fit-result.ts';
import { askRequestOf, refuseSchema } from './gemini-query-tool.ts';
import { type ClientFailureWords, failureWordsFor } from './present-failure.ts';
import { geminiContext } from './tool-declarations.ts';

const description = `Preview of gemini_query: which files it would send, with their tokens, to estimate size and cost.`;

const asInQuery = 'See gemini_query.';

export type GeminiContextToolOptions = ContextArgumentsOptions & {
  readonly previewContext: Pick<PreviewContext, 'preview'>;
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
  readonly failureWords?: ClientFailureWords | undefined;
};

/** Creates the tool `gemini_context`: lists what a call of gemini_query with the same arguments would send. */
export function createGeminiContextTool(options: GeminiContextToolOptions): Tool {
  const context = contextArguments(options);
  const input = z.strictObject({
    prompt: deliverableText(1_000_000).default('').describe('The prompt that would be sent along.'),
    ...context,
    files: context.files.describe(asInQuery),
    glob_patterns: context.glob_patterns.describe(asInQuery),
    directories: context.directories.describe(asInQuery),
    count: z.boolean().default(false).describe('Send all to Google to count the tokens.'),
    ...answerArguments(),
  });
  const tool: Tool<typeof input> = {
    ...geminiContext,
    description,
    input,
    unlisted: ['prompt', 'model', 'timeout', 'schema', 'thinking', 'urls', ...unlistedContextArguments],
    run: async (args, { owner, clientName, signal }) => {
      const words = failureWordsFor(options.failureWords, { clientName });
      const compiled = args.schema === undefined ? null : await compileAnswerForm(args.schema);
      if (compiled?.isUsable === false) {
        return refuseSchema(geminiContext.name, compiled);
      }
      const request = {
        ...askRequestOf(args, options, owner),
        ...(args.schema && { answerSchema: args.schema }),
        countsTokens: args.count,
      };
      const result = await options.previewContext.preview(request, signal);
      const layout = layoutFor(clientName, options.pageBytes);
      const longTexts = { answers: options.answers, owner, title: 'What gemini_query would send', layout };
      if (!result.ok) {
        const { failed } = result;
        const text = await fitText(describeFailure(failed, { words }), longTexts);
        return { text, isError: true, detail: { type: 'failure', failed, purpose: 'query' } };
      }
      return { text: await fitText(formatPreview(result.preview, { words }), longTexts), isError: false };
    },
  };
  return tool;
}
