import { type AskGemini, describeFailure, formatAnswer } from '@gemini-mcp/core';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { describeProgress } from './describe-progress.ts';
import { createGeminiQueryInput, type GeminiQueryArgs } from './gemini-query-input.ts';

const description = `Asks Google's Gemini, a second model with a window of about a million tokens, and returns its answer.

Use it to
- have many or large files read, searched, explained or compared: name them in files, glob_patterns or directories. They are \
read here and go straight to Gemini; their contents never enter your context.
- get a second opinion: a review of a change, a plan or a design, another idea about a bug.

Do not use it for what you can answer yourself from a few lines, for files that must not leave this machine, or to change \
files: Gemini only reads what it is sent, and answers in text. It remembers nothing between calls and does not see your \
conversation, so say in the prompt all that it must know, and what form the answer should have.

The answer ends with a footer: the model that answered, tokens, and how many files were sent or left out and why. If a model is \
out of quota or overloaded, the next one of the configured chain answers and the first line says so. Takes seconds to minutes; \
a failure says what to do next.`;

export type GeminiQueryToolOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The models of the configuration: callers may name these beside every gemini- and gemma- model. */
  readonly modelChain: readonly string[];
};

/** Makes the tool `gemini_query`: a prompt, and the names of files for Gemini to read, to Gemini's answer. */
export function createGeminiQueryTool(options: GeminiQueryToolOptions): Tool {
  const input = createGeminiQueryInput(options.modelChain);
  const tool: Tool<typeof input> = {
    name: 'gemini_query',
    title: 'Ask Gemini about files',
    description,
    input,
    // Not idempotent: each call asks anew, spends quota and may get another answer.
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    run: (args, context) => queryGemini(options.askGemini, args, context),
  };
  return tool;
}

async function queryGemini(
  askGemini: GeminiQueryToolOptions['askGemini'],
  args: GeminiQueryArgs,
  context: ToolContext,
): Promise<ToolOutcome> {
  const request = {
    prompt: args.prompt,
    files: args.files,
    globPatterns: args.glob_patterns,
    directories: args.directories,
    model: args.model ?? null,
    timeoutMs: args.timeout * 1_000,
    maxFiles: args.max_files,
    maxBytes: args.max_bytes,
  };
  const result = await askGemini.ask(
    request,
    (progress) => {
      const news = describeProgress(progress);
      if (news !== null) {
        context.progress(news);
      }
    },
    context.signal,
  );
  return result.ok
    ? { text: formatAnswer(result.answer), isError: false }
    : { text: describeFailure(result.failed), isError: true };
}
