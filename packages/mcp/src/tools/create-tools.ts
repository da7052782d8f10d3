import type {
  AnswerStore,
  AskForJson,
  AskGemini,
  AskOpinions,
  Chat,
  Clock,
  Jobs,
  PreviewContext,
  ReviewChange,
  RunnerCapabilities,
  SearchWeb,
  SessionStore,
  ToolProviderFactory,
} from '@gemini-mcp/core';
import type { Tool, ToolOutcome } from '../surface/tool.ts';
import { createChatDeleteTool } from './chat-delete-tool.ts';
import { createChatReplyTool } from './chat-reply-tool.ts';
import { createChatTool } from './chat-tool.ts';
import { type AgentPolicy, createGeminiAgentTool } from './gemini-agent-tool.ts';
import { createGeminiChatTool } from './gemini-chat-tool.ts';
import { createGeminiContextTool } from './gemini-context-tool.ts';
import { createGeminiJobTool } from './gemini-job-tool.ts';
import { createGeminiQueryTool } from './gemini-query-tool.ts';
import { createGeminiReadTool } from './gemini-read-tool.ts';
import { createGeminiReviewTool } from './gemini-review-tool.ts';
import { createGeminiUndoTool, type UndoRun } from './gemini-undo-tool.ts';
import { createGoogleSearchTool } from './google-search-tool.ts';
import type { ClientFailureWords } from './present-failure.ts';
import type { RunPolicy } from './run-settings-of.ts';

export type ToolsOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly askForJson: Pick<AskForJson, 'ask'>;
  readonly askOpinions: Pick<AskOpinions, 'ask'>;
  readonly previewContext: Pick<PreviewContext, 'preview'>;
  readonly reviewChange: Pick<ReviewChange, 'review'>;
  readonly chat: Pick<Chat, 'start' | 'reply'>;
  readonly searchWeb: Pick<SearchWeb, 'search'>;
  readonly sessions: Pick<SessionStore, 'delete' | 'list'>;
  readonly answers: AnswerStore;
  /** The bytes of text in one result, for every client; by the client's name if missing or null. */
  readonly pageBytes?: number | null | undefined;
  readonly jobs: Jobs<ToolOutcome>;
  readonly clock: Clock;
  /** The models of the configuration: callers may name these and every gemini- and gemma- model. */
  readonly modelChain: readonly string[];
  readonly queryTimeoutMs: number;
  readonly chatTimeoutMs: number;
  readonly searchTimeoutMs: number;
  /** The longest timeout that a caller may give; an hour if missing. */
  readonly maxTimeoutMs?: number;
  /** As in `ContextArgumentsOptions`. */
  readonly maxFiles?: number;
  readonly maxBytes?: number;
  readonly maxMediaBytes?: number;
  /** The runner's capabilities. Unsupported arguments are not listed; all are unsupported if missing. */
  readonly capabilities?: Partial<Pick<RunnerCapabilities, 'thinking' | 'urls' | 'flexibleTier'>>;
  readonly runPolicy: RunPolicy;
  /** Gives Gemini tools of other servers; without it Gemini gets none. */
  readonly toolProviderFactory?: Pick<ToolProviderFactory, 'findMissing'> | undefined;
  /** Lets Gemini work on projects; without it Gemini cannot. */
  readonly agent?: (AgentPolicy & { readonly undo: UndoRun }) | undefined;
  /** Failure texts in place of the core's, such as those that name settings of the server. */
  readonly failureWords?: ClientFailureWords;
};

/** A large change takes several questions. */
const reviewTimeoutMs = 600_000;

/** Every tool of the server. */
export function createTools(options: ToolsOptions): readonly Tool[] {
  const { queryTimeoutMs: defaultTimeoutMs, chatTimeoutMs, searchTimeoutMs } = options;
  const conversation = { ...options, timeoutMs: chatTimeoutMs };
  return [
    createGeminiQueryTool({ ...options, defaultTimeoutMs }),
    createGeminiContextTool({ ...options, defaultTimeoutMs }),
    createGeminiReviewTool({ ...options, defaultTimeoutMs: Math.max(defaultTimeoutMs, reviewTimeoutMs) }),
    createGeminiReadTool(options),
    createGeminiJobTool(options),
    createChatTool(conversation),
    createChatReplyTool(conversation),
    createChatDeleteTool(options),
    createGeminiChatTool({ ...options, timeoutMs: chatTimeoutMs }),
    ...createAgentTools(options),
    createGoogleSearchTool({ ...options, timeoutMs: searchTimeoutMs }),
  ];
}

function createAgentTools({ agent, ...options }: ToolsOptions): readonly Tool[] {
  if (agent === undefined) {
    return [];
  }
  const working = createGeminiAgentTool({ ...options, agent });
  return agent.mode === 'plan' ? [working] : [working, createGeminiUndoTool({ ...options, ...agent })];
}

export type ToolSelection = {
  /** Names of tools and of groups; null for all tools. */
  readonly names: readonly string[] | null;
  /** Whether to leave out the tools that can change anything. */
  readonly readOnly: boolean;
};

/** The tools that an operator selects. */
export function selectTools(tools: readonly Tool[], { names, readOnly }: ToolSelection): readonly Tool[] {
  const isNamed = ({ name, group = name }: Tool): boolean =>
    names === null || names.includes(name) || names.includes(group);
  const changesNothing = ({ annotations, keepsRecords = false }: Tool): boolean =>
    annotations.readOnlyHint && !keepsRecords;
  return tools.filter((tool) => isNamed(tool) && (!readOnly || changesNothing(tool)));
}
