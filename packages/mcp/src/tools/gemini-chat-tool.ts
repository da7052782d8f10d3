import type { AnswerStore, AskGemini, AskRequest, JobBoard } from '@gemini-mcp/core';
import { titleOf, withoutFiles } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../tool.ts';
import { backgroundArgument } from './arguments/background-argument.ts';
import { promptText } from './arguments/deliverable-text.ts';
import { runArguments } from './arguments/run-arguments.ts';
import { createAskWork } from './ask-work.ts';
import { type ClientFailureWords, failureWordsFor } from './client-failure-words.ts';
import { permitsYolo, type RunPolicy, refuseRun, runSettingsOf } from './run-settings-of.ts';
import { geminiChat, geminiChatWithYolo } from './tool-declarations.ts';
import { workInBackground, workInForeground } from './work.ts';

const description = `Asks Google's Gemini one question through the Gemini CLI. Gemini may read files of the working directory \
with its own tools; it cannot change any, unless yolo is given and allowed.

It remembers nothing between calls: use chat for a conversation, and gemini_query to have named files read.`;

export type GeminiChatToolOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly answers: AnswerStore;
  readonly jobs: JobBoard<ToolOutcome>;
  readonly keepsControls?: boolean | undefined;
  readonly failureWords?: ClientFailureWords | undefined;
  readonly modelChain: readonly string[];
  readonly timeoutMs: number;
  readonly runPolicy: RunPolicy;
};

/** Makes the tool `geminiChat`: a prompt to an answer, the CLI run as the caller says. */
export function createGeminiChatTool(options: GeminiChatToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe('The question. Delivered literally: @names and /commands in it have no effect.'),
    ...runArguments(options.modelChain),
    background: backgroundArgument(),
  });
  const { jobs, runPolicy, keepsControls } = options;
  const tool: Tool<typeof input> = {
    ...(permitsYolo(runPolicy) ? geminiChatWithYolo : geminiChat),
    description,
    input,
    run: async (args, context) => {
      const refusal = refuseRun(args, runPolicy);
      if (refusal !== null) {
        return refusal;
      }
      const { owner } = context;
      const title = titleOf(args.prompt);
      const request: AskRequest = {
        ...withoutFiles,
        owner,
        prompt: args.prompt,
        model: args.model ?? null,
        timeoutMs: options.timeoutMs,
        settings: runSettingsOf(args, 'read-only', runPolicy),
      };
      const failureWords = failureWordsFor(options.failureWords, context);
      const work = createAskWork({ ...options, failureWords, request, owner, title, purpose: 'chat' });
      return args.background
        ? workInBackground({ jobs, title, work, keepsControls, failureWords }, context)
        : workInForeground(work, context, { keepsControls, failureWords });
    },
  };
  return tool;
}
