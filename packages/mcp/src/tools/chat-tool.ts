import { type AnswerStore, type Chat, plainRunSettings, type RunSettings, titleOf } from '@gemini-mcp/core';
import * as z from 'zod';
import type { Tool } from '../tool.ts';
import { promptText } from './arguments/deliverable-text.ts';
import { conversationArguments } from './arguments/run-arguments.ts';
import { presentChat } from './present-chat.ts';
import { workInForeground } from './work.ts';

const description = `Starts a conversation with Google's Gemini and returns its first answer with a session id, by which chat-reply \
goes on with it.

Gemini may read files of the working directory with its own tools; it cannot change any. To have many named files read at \
once, gemini_query is quicker and surer.`;

export type ChatToolOptions = {
  readonly answers: AnswerStore;
  readonly chat: Pick<Chat, 'start'>;
  readonly modelChain: readonly string[];
  readonly timeoutMs: number;
  /** The absolute directory that a caller's words mean; the server's own where they name none. */
  readonly resolveDirectory: (name: string | null) => string;
};

/** Makes the tool `chat`: a first message to an answer and the id of a conversation. */
export function createChatTool(options: ChatToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe('The first message. Delivered literally: @names and /commands in it have no effect.'),
    ...conversationArguments(options.modelChain),
  });
  const tool: Tool<typeof input> = {
    name: 'chat',
    title: 'Start a conversation with Gemini',
    description,
    input,
    // It keeps the conversation.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    run: (args, context) => {
      const { owner } = context;
      const settings: RunSettings = {
        ...plainRunSettings,
        systemPrompt: args.systemPrompt ?? null,
        tools: 'read-only',
        directory: options.resolveDirectory(args.cwd ?? null),
        directoryIsOptional: args.cwd === undefined,
      };
      const { timeoutMs, answers } = options;
      const request = { owner, prompt: args.prompt, model: args.model ?? null, settings, timeoutMs };
      return workInForeground(async (onProgress, signal) => {
        const result = await options.chat.start(request, onProgress, signal);
        return presentChat(result, { answers, owner, title: titleOf(args.prompt) });
      }, context);
    },
  };
  return tool;
}
