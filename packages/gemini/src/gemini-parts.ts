import type {
  AskForJson,
  AskGemini,
  AskOpinions,
  Chat,
  Clock,
  Executor,
  ModelChain,
  ModelHealth,
  PreviewContext,
  ReviewChange,
  RunnerCapabilities,
  SearchWeb,
  SessionStore,
  ToolProviderFactory,
  WorkOnTask,
} from '@gemini-mcp/core';

/** The use cases of a `Gemini` and their shared parts. */
export type GeminiParts = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly askForJson: AskForJson;
  /** Asks several models and compares their answers. */
  readonly askOpinions: Pick<AskOpinions, 'ask'>;
  readonly previewContext: PreviewContext;
  /** Reviews changes of Git repositories. */
  readonly reviewChange: Pick<ReviewChange, 'review'>;
  readonly chat: Chat;
  readonly searchWeb: SearchWeb;
  /** Lets Gemini work on a project. */
  readonly workOnTask: WorkOnTask;
  /** Undoes the changes of such work. */
  readonly undo: Executor['undo'];
  readonly sessions: SessionStore;
  /** The health of the models in its calls. */
  readonly health: ModelHealth;
  /** The default models of a plain question, best first. */
  readonly modelChain: ModelChain;
  readonly clock: Clock;
  /** Gives Gemini tools of upstream MCP servers; undefined without such servers. */
  readonly toolProviderFactory: ToolProviderFactory | undefined;
  /** Of the runner. */
  readonly capabilities: RunnerCapabilities;
};
