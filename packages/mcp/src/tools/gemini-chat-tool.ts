import type { AnswerStore, AskGemini, AskRequest, Jobs } from '@gemini-mcp/core';
import { titleOf, withoutFiles } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { backgroundArgument, promptText, runArguments, unlistedRunArguments } from './arguments/run-arguments.ts';
import { type ClientFailureWords, failureWordsFor } from './present-failure.ts';
import {
  directoryOf,
  permitsYolo,
  type RunPolicy,
  refuseRun,
  refuseSandbox,
  runSettingsOf,
} from './run-settings-of.ts';
import { geminiChat, geminiChatWithYolo } from './tool-declarations.ts';
import { createAskWork, workInBackground, workInForeground } from './work.ts';

const description = `Let Gemini explore or look around in a directory or project folder, read-only, to answer one question when you do not know \
where. Not a chat: it remembers nothing.`;

const yoloDescription = 'With yolo Gemini may run commands and change files.';

export type GeminiChatToolOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
  readonly jobs: Jobs<ToolOutcome>;
  readonly failureWords?: ClientFailureWords | undefined;
  readonly modelChain: readonly string[];
  readonly timeoutMs: number;
  readonly runPolicy: RunPolicy;
};

/** Creates the tool `geminiChat`: runs the CLI as the caller asks, and answers a prompt. */
export function createGeminiChatTool(options: GeminiChatToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe('The question.'),
    ...runArguments(options.modelChain),
    background: backgroundArgument(),
  });
  const { jobs, runPolicy } = options;
  const tool: Tool<typeof input> = {
    ...(permitsYolo(runPolicy) ? geminiChatWithYolo : geminiChat),
    description: permitsYolo(runPolicy) ? `${description} ${yoloDescription}` : description,
    input,
    unlisted: ['model', ...unlistedRunArguments].filter((name) => name !== 'yolo' || !permitsYolo(runPolicy)),
    run: async (args, context) => {
      const refusal = refuseRun(args, runPolicy) ?? refuseSandbox(args);
      if (refusal !== null) {
        return refusal;
      }
      const { owner, trace, origin } = context;
      const title = titleOf(args.prompt);
      const request: AskRequest = {
        ...withoutFiles,
        owner,
        trace,
        origin,
        prompt: args.prompt,
        model: args.model ?? null,
        timeoutMs: options.timeoutMs,
        settings: runSettingsOf(args, 'none'),
        ...directoryOf(args.workingDirectory, runPolicy),
      };
      const failureWords = failureWordsFor(options.failureWords, context);
      const layout = layoutFor(context.clientName, options.pageBytes);
      const work = createAskWork({ ...options, layout, failureWords, request, owner, title, purpose: 'chat' });
      const running = { jobs, title, work, failureWords, endsWithClient: args.yolo };
      return args.background ? workInBackground(running, context) : workInForeground(running, context);
    },
  };
  return tool;
}
