import type { Chat, ServersOfCall } from '@gemini-mcp/core';
import { titleOf } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { webArguments } from './arguments/answer-arguments.ts';
import { conversationArguments, promptText } from './arguments/run-arguments.ts';
import { serversArgument } from './arguments/servers-argument.ts';
import type { ChatToolOptions } from './chat-tool.ts';
import { presentChat, refuseWithWeb } from './chat-tool.ts';
import { failureWordsFor } from './present-failure.ts';
import { refuseDirectory } from './run-settings-of.ts';
import { readServersArgument } from './servers-of-call.ts';
import { chatReply } from './tool-declarations.ts';
import { type Work, workInForeground } from './work.ts';

const description = `Continue a chat with Gemini: a follow-up question or message in the same conversation.`;

const sessionIdDescription = 'From chat; the newest by default.';

/** Settings that keep their value if a call does not give them. */
const unlisted = ['model', 'systemPrompt', 'cwd', 'search', 'urls', 'servers'];

export type ChatReplyToolOptions = Omit<ChatToolOptions, 'chat'> & {
  readonly chat: Pick<Chat, 'reply'>;
};

/** Creates the tool `chat-reply`: answers a further message of a conversation. */
export function createChatReplyTool(options: ChatReplyToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe('The message.'),
    sessionId: z
      .uuid({ error: 'must be a session id as chat returns it, a UUID' })
      .optional()
      .describe(sessionIdDescription),
    ...conversationArguments(options.modelChain),
    ...webArguments(),
    servers: serversArgument(),
  });
  const tool: Tool<typeof input> = {
    ...chatReply,
    description,
    input,
    unlisted,
    run: async (args, context) => {
      const { chosenServers, refusal } = await readServersArgument(args.servers, options, context);
      return (
        refuseDirectory('cwd', args.cwd, options.runPolicy) ??
        refuseWithWeb(chatReply.name, args) ??
        refusal ??
        (await reply({ ...args, chosenServers }, options, context))
      );
    },
  };
  return tool;
}

type ReplyArgs = {
  readonly prompt: string;
  readonly sessionId?: string | undefined;
  readonly model?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly cwd?: string | undefined;
  readonly search?: boolean | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly chosenServers: ServersOfCall | null;
};

function reply(args: ReplyArgs, options: ChatReplyToolOptions, context: ToolContext): Promise<ToolOutcome> {
  const { owner, trace, origin } = context;
  const { timeoutMs, answers, jobs, runPolicy } = options;
  const title = titleOf(args.prompt);
  const failureWords = failureWordsFor(options.failureWords, context);
  const { resolveDirectory, mayReadFiles = true, roots } = runPolicy;
  const request = {
    owner,
    sessionId: args.sessionId ?? null,
    prompt: args.prompt,
    model: args.model ?? null,
    systemPrompt: args.systemPrompt ?? null,
    directory: args.cwd === undefined ? null : resolveDirectory(args.cwd),
    mayReadFiles,
    search: args.search,
    urls: args.urls,
    ...(roots !== undefined && { roots }),
    ...(args.chosenServers !== null && { servers: args.chosenServers }),
    timeoutMs,
    trace,
    origin,
  };
  const work: Work = async (onProgress, signal) => {
    const result = await options.chat.reply(request, onProgress, signal);
    return presentChat(result, {
      answers,
      owner,
      title,
      failureWords,
      layout: layoutFor(context.clientName, options.pageBytes),
    });
  };
  return workInForeground({ jobs, title, work, failureWords }, context);
}
