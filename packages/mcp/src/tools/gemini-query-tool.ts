import type { AnswerStore, AskGemini, AskRequest, JobBoard } from '@gemini-mcp/core';
import { titleOf } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import type { Tool, ToolOutcome } from '../tool.ts';
import { backgroundArgument } from './arguments/background-argument.ts';
import { type ContextArgumentsOptions, contextArguments } from './arguments/context-arguments.ts';
import { promptText } from './arguments/deliverable-text.ts';
import { createAskWork } from './ask-work.ts';
import { type ClientFailureWords, failureWordsFor } from './client-failure-words.ts';
import { geminiQuery } from './tool-declarations.ts';
import { workInBackground, workInForeground } from './work.ts';

const description = `Asks Google's Gemini, a second model with a window of about a million tokens, and returns its answer.

Use it to
- have many or large files read, searched, explained or compared: name them in files, glob_patterns or directories. They are \
read here and go straight to Gemini; their contents never enter your context.
- get a second opinion: a review of a change, a plan or a design, another idea about a bug.

Do not use it for what you can answer yourself from a few lines, for files that must not leave this machine, or to change \
files: Gemini only reads what it is sent, and answers in text. It remembers nothing between calls (chat does) and does not see \
your conversation, so say in the prompt all that it must know, and what form the answer should have.

The answer ends with a footer: the model that answered, tokens, and how many files were sent or left out and why. If a model is \
out of quota or overloaded, the next one of the configured chain answers and the first line says so. Takes seconds to minutes; \
a failure says what to do next.`;

const descriptions = {
  prompt:
    'The question or task, complete in itself: Gemini sees neither your conversation nor any file that is not named here. ' +
    'Delivered literally: @names and /commands in it have no effect.',
} as const;

export type GeminiQueryToolOptions = ContextArgumentsOptions & {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly answers: AnswerStore;
  readonly jobs: JobBoard<ToolOutcome>;
  readonly keepsControls?: boolean | undefined;
  readonly failureWords?: ClientFailureWords | undefined;
};

/** Makes the tool `gemini_query`: a prompt, and the names of files for Gemini to read, to Gemini's answer. */
export function createGeminiQueryTool(options: GeminiQueryToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe(descriptions.prompt),
    ...contextArguments(options),
    background: backgroundArgument(),
  });
  const tool: Tool<typeof input> = {
    ...geminiQuery,
    description,
    input,
    run: async (args, context) => {
      const { owner } = context;
      const request = askRequestOf(args, owner);
      const title = titleOf(args.prompt);
      const failureWords = failureWordsFor(options.failureWords, context);
      const work = createAskWork({ ...options, failureWords, request, owner, title, purpose: 'query' });
      const { jobs, keepsControls } = options;
      return args.background
        ? workInBackground({ jobs, title, work, keepsControls, failureWords }, context)
        : workInForeground(work, context, { keepsControls, failureWords });
    },
  };
  return tool;
}

/** The arguments that gemini_query and gemini_context share. */
export type ContextArgs = {
  readonly prompt: string;
  readonly files: readonly string[];
  readonly glob_patterns: readonly string[];
  readonly directories: readonly string[];
  readonly model?: string | undefined;
  readonly timeout: number;
  readonly max_files: number;
  readonly max_bytes: number;
};

/** What the arguments ask for. */
export function askRequestOf(args: ContextArgs, owner: string): AskRequest {
  return {
    owner,
    prompt: args.prompt,
    files: args.files,
    globPatterns: args.glob_patterns,
    directories: args.directories,
    model: args.model ?? null,
    timeoutMs: args.timeout * 1_000,
    maxFiles: args.max_files,
    maxBytes: args.max_bytes,
  };
}
