import {
  type AnswerStore,
  type Chat,
  type ChatResult,
  type Jobs,
  plainRunSettings,
  type ServersOfCall,
} from '@gemini-mcp/core';
import { escapeControls, titleOf } from '@gemini-mcp/core/internal';
import * as z from 'zod';
import { layoutFor } from '../content/result-layout.ts';
import type { Tool, ToolContext, ToolOutcome } from '../surface/tool.ts';
import { type RunnerSkills, webArguments } from './arguments/answer-arguments.ts';
import { conversationArguments, promptText } from './arguments/run-arguments.ts';
import { serversArgument } from './arguments/servers-argument.ts';
import type { LongTexts } from './fit-result.ts';
import { presentAnswer } from './present-answer.ts';
import { type ClientFailureWords, failureWordsFor, presentFailure } from './present-failure.ts';
import { directoryOf, type RunPolicy, refuseDirectory } from './run-settings-of.ts';
import { readServersArgument, type ServersOfCallOptions } from './servers-of-call.ts';
import { chat } from './tool-declarations.ts';
import { type Work, workInForeground } from './work.ts';

const description = `Start a chat: a conversation over several turns, to discuss or brainstorm. Returns the first answer, with a session id for \
chat-reply. Gemini may read the directory; for known paths gemini_query is better.`;

export type ChatToolOptions = ServersOfCallOptions & {
  readonly answers: AnswerStore;
  /** As in `ToolsOptions`. */
  readonly pageBytes?: number | null | undefined;
  readonly jobs: Jobs<ToolOutcome>;
  readonly chat: Pick<Chat, 'start'>;
  readonly modelChain: readonly string[];
  readonly timeoutMs: number;
  readonly runPolicy: RunPolicy;
  /** The runner's capabilities; none if missing. */
  readonly capabilities?: RunnerSkills | undefined;
  readonly failureWords?: ClientFailureWords | undefined;
};

/** Creates the tool `chat`: answers a first message and returns the id of the new conversation. */
export function createChatTool(options: ChatToolOptions): Tool {
  const input = z.strictObject({
    prompt: promptText().describe('The first message.'),
    ...conversationArguments(options.modelChain),
    ...webArguments(),
    servers: serversArgument(),
  });
  const tool: Tool<typeof input> = {
    ...chat,
    description,
    input,
    unlisted: ['model', 'servers', ...(options.capabilities?.urls === true ? [] : ['urls'])],
    run: async (args, context) => {
      const { chosenServers, refusal } = await readServersArgument(args.servers, options, context);
      return (
        refuseDirectory('cwd', args.cwd, options.runPolicy) ??
        refuseWithWeb(chat.name, args) ??
        refusal ??
        (await start({ ...args, chosenServers }, options, context))
      );
    },
  };
  return tool;
}

/** Google's API runs its own tools and ours together only for some models. */
export function refuseWithWeb(
  tool: string,
  { search = false, urls = [], cwd, servers = [] }: WebArgs,
): ToolOutcome | null {
  const usesWeb = search || urls.length > 0;
  const problems = [
    ...(usesWeb && cwd !== undefined ? ['- cwd: cannot be combined with search or urls'] : []),
    ...(usesWeb && servers.length > 0 ? ['- servers: cannot be combined with search or urls'] : []),
  ];
  if (problems.length === 0) {
    return null;
  }
  const text = `Invalid arguments for ${tool}; nothing was done.\n${problems.join('\n')}`;
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

type WebArgs = {
  readonly search?: boolean | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly servers?: readonly string[] | undefined;
};

type ChatArgs = WebArgs & {
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly chosenServers: ServersOfCall | null;
};

function start(args: ChatArgs, options: ChatToolOptions, context: ToolContext): Promise<ToolOutcome> {
  const { owner, trace, origin } = context;
  const { timeoutMs, answers, jobs, runPolicy } = options;
  const title = titleOf(args.prompt);
  const failureWords = failureWordsFor(options.failureWords, context);
  const settings = { ...plainRunSettings, systemPrompt: args.systemPrompt ?? null };
  const given = {
    ...directoryOf(args.cwd, runPolicy),
    ...(args.chosenServers !== null && { servers: args.chosenServers }),
  };
  const request = {
    owner,
    prompt: args.prompt,
    model: args.model ?? null,
    settings,
    ...given,
    search: args.search,
    urls: args.urls,
    timeoutMs,
    trace,
    origin,
  };
  const work: Work = async (onProgress, signal) => {
    const result = await options.chat.start(request, onProgress, signal);
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

/** The answer of a conversation with its id: in the text, where the client's model sees it, and as `_meta.sessionId`. */
export async function presentChat(result: ChatResult, longTexts: LongTexts): Promise<ToolOutcome> {
  const { sessionId } = result;
  if (!result.ok) {
    const outcome = await presentFailure(result.failed, { ...longTexts, purpose: 'chat' });
    return sessionId === null ? outcome : { ...outcome, meta: { sessionId }, detail: { ...outcome.detail, sessionId } };
  }
  const { answer, notKept, sourceLines = [] } = result;
  const extraLines = sourceLines.map(escapeControls);
  return presentAnswer(answer, { ...longTexts, extraLines, conversation: { sessionId: result.sessionId, notKept } });
}
