import type {
  AskForJson,
  AskGemini,
  Chat,
  Clock,
  Executor,
  ModelChain,
  ModelHealth,
  PreviewContext,
  RunnerCapabilities,
  SearchWeb,
  SessionStore,
  ToolProviderFactory,
  WorkOnTask,
} from '@gemini-mcp/core';

/** The use cases of a `Gemini`, and what they share. */
export type GeminiParts = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly askForJson: AskForJson;
  readonly previewContext: PreviewContext;
  readonly chat: Chat;
  readonly searchWeb: SearchWeb;
  /** Lets Gemini work on a project. */
  readonly workOnTask: WorkOnTask;
  /** Takes back what such work changed. */
  readonly undo: Executor['undo'];
  readonly sessions: SessionStore;
  /** How the models have fared in its calls. */
  readonly health: ModelHealth;
  /** Those that a plain question tries where its call names none, best first. */
  readonly modelChain: ModelChain;
  readonly clock: Clock;
  /** Lends tools of other MCP servers; undefined if there are none to lend. */
  readonly toolProviderFactory: ToolProviderFactory | undefined;
  /** Of the runner. */
  readonly capabilities: RunnerCapabilities;
};
