/** For programs that ask Gemini, and for adapters: the ports, the use cases, in-memory stores, parsers for Google's responses, texts. */

export { type DescribeFailureOptions, describeFailure } from './account/describe-failure.ts';
export { failureAdvice } from './account/failure-advice.ts';
export { failureReason } from './account/failure-reason.ts';
export type { CallPurpose, FailureText, FailureTexts, FailureWords } from './account/failure-words.ts';
export { type FormatAccountOptions, formatAccount } from './account/format-account.ts';
export type { CalledTool, Counted, RanCommand, RefusedStep, WorkAccount } from './agent/work-account.ts';
export type { WorkBudget } from './agent/work-budget.ts';
export { WorkLog, type WorkLogOptions } from './agent/work-log.ts';
export { WorkOnTask, type WorkOnTaskOptions } from './agent/work-on-task.ts';
export type { ProjectForTools, WorkProgress, WorkRequest, WorkResult } from './agent/work-request.ts';
export { AnswerRecords, type AnswerRecordsOptions } from './answers/answer-records.ts';
export type {
  AskAnswer,
  AskFailure,
  AskResult,
  Attempt,
  ContextLimits,
  ContextReport,
} from './answers/ask-result.ts';
export { ApprovalRecords, type ApprovalRecordsOptions } from './approvals/approval-records.ts';
export type { ApprovalRecord } from './approvals/step-to-approve.ts';
export { type AskEnd, AskGemini, type AskGeminiOptions } from './ask-gemini/ask-gemini.ts';
export type { AskProgress, AskRequest, CallOrigin, OnProgress } from './ask-gemini/ask-request.ts';
export type { RequestWithTools, ToolAttacher } from './ask-gemini/attach-tools.ts';
export type { SentPart } from './ask-gemini/sent-part.ts';
export { Chat, type ChatOptions } from './chat/chat.ts';
export type { ChatReplyRequest, ChatRequest } from './chat/chat-request.ts';
export type { ChatResult } from './chat/chat-result.ts';
export type { CommandDecision, CommandRule, RuleWord } from './commands/command-rule.ts';
export type { BoundaryOf } from './context/boundary.ts';

export { mediaHeadBytes, mediaTypeOf } from './context/media-type-of.ts';

export { type AskedLines, type NamedLines, parseLineRange } from './context/parse-line-range.ts';

export {
  type AnswerEnding,
  type DeliveredEnding,
  type EndOfStream,
  parseAnswerEnding,
} from './failure/answer-ending.ts';
export type {
  FailureKind,
  GeminiFailure,
  InputRefusal,
  SessionSummary,
  UnsupportedFeature,
  WithDetail,
  WithExcerpt,
} from './failure/gemini-failure.ts';
export { type LeftOut, type LeftOutReason, leftOutTexts } from './failure/left-out.ts';
export { defaultModelChain, type OpinionPlace, type WindowOf } from './fallback/model-chain.ts';
export { type EndedAnswer, endOfAnswer } from './google/end-of-answer.ts';
export { type GoogleErrorOptions, type GoogleFailure, readGoogleError } from './google/read-google-error.ts';
export { readRetryAfter } from './google/wait-time.ts';
export { BackgroundJobs, type BackgroundJobsOptions } from './jobs/background-jobs.ts';
export type {
  JobEnd,
  JobNews,
  JobReport,
  JobState,
  JobSummary,
  Jobs,
  JobTask,
  JobToStart,
  JobToWaitFor,
} from './jobs/jobs.ts';
export { KeptJobs, type KeptJobsOptions } from './jobs/kept-jobs.ts';
export type { AnswerForm } from './json-answer/answer-form.ts';
export { AskForJson, type AskForJsonOptions, type JsonResult } from './json-answer/ask-for-json.ts';
export { DirectoryTools, type DirectoryToolsOptions } from './model-tools/directory-tools.ts';
export { type AnsweredCall, ToolRouter } from './model-tools/tool-router.ts';
export { ModelHealth, type ModelHealthReport } from './models/model-health.ts';
export { AskOpinions, type AskOpinionsOptions } from './opinions/ask-opinions.ts';
export type {
  ComparedPoint,
  Comparison,
  ComparisonResult,
  Opinion,
  OpinionsResult,
  PointKind,
  Position,
} from './opinions/opinion.ts';
export type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from './ports/answer-store.ts';
export type { ApprovalStore, ApprovalToKeep, LastingApproval } from './ports/approval-store.ts';
export type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalQuestion,
  ApprovalSubject,
  Approver,
  StepToApprove,
} from './ports/approver.ts';
export type { AuditEntry, AuditedArguments, AuditedWork, AuditLog } from './ports/audit-log.ts';
export type {
  ChangeRead,
  ChangeReader,
  ChangeRequest,
  ChangeSelection,
  FileDiff,
  MentionSearch,
  OpenedChange,
  UnreadFile,
  UnreadReason,
} from './ports/change-reader.ts';
export type { Clock } from './ports/clock.ts';
export type {
  ContextBundle,
  ContextDocument,
  ContextResolver,
  ContextSelection,
  InlineMedia,
  LineRange,
} from './ports/context-resolver.ts';
export type { GeminiRunner } from './ports/gemini-runner/gemini-runner.ts';
export type {
  Grounding,
  GroundingSource,
  GroundingSupport,
  NamedPage,
  WebPage,
} from './ports/gemini-runner/grounding.ts';
export type { ChoiceReason, HandledBy, RunEnd, RunEvent, ToolEvent } from './ports/gemini-runner/run-event.ts';
export type { CallDirectory, ConversationTurn, RunNeeds, RunRequest } from './ports/gemini-runner/run-request.ts';
export {
  plainInstruction,
  plainRunSettings,
  type RunSettings,
  systemPromptOf,
  type ThinkingLevel,
  type ToolAccess,
} from './ports/gemini-runner/run-settings.ts';
export type { ModelChain, RunnerBackend, RunnerCapabilities } from './ports/gemini-runner/runner-capabilities.ts';
export type { ModelUsage, TokenCount } from './ports/gemini-runner/token-usage.ts';
export type { LoopbackToolServer, ToolSession, ToolSessionRequest } from './ports/loopback-tool-server.ts';
export type { CatalogModel, ModelCatalog, ModelList } from './ports/model-catalog.ts';
export type {
  ListedRecord,
  RecordBounds,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
  StoredRecord,
} from './ports/record-store.ts';
export type { OpenStep, StepLog, StepOutcome, StepToTake, WorkStep } from './ports/run-step.ts';
export type {
  DeleteResult,
  SaveResult,
  Session,
  SessionStore,
  SessionTurn,
  StoredSession,
} from './ports/session-store.ts';
export type { Sha256 } from './ports/sha256.ts';
export type { CallProgress, ModelTool, ToolCall, ToolProvider, ToolResult } from './ports/tool-provider.ts';
export type { TraceContext } from './ports/trace-context.ts';
export type { ServerAnswer, ServerQuestion, ServerQuestions } from './ports/upstreams/server-questions.ts';
export type { RequestedServers, ServersOfCall, ToolProviderFactory } from './ports/upstreams/tool-provider-factory.ts';
export type { ServerTool } from './ports/upstreams/upstream-servers.ts';
export type { UsageEntry, UsageLedger } from './ports/usage-ledger.ts';
export type {
  CommandPipeline,
  CommandPlan,
  CommandWord,
  OutputStreams,
  PatternPiece,
  Redirection,
  SimpleCommand,
} from './ports/workspace/command-plan.ts';
export type { CommandEnd, CommandReport, CommandRequest } from './ports/workspace/command-steps.ts';
export type { Executor, SandboxState, WorkspaceOptions } from './ports/workspace/executor.ts';
export type {
  ChangeConsent,
  ChangedFile,
  FileChange,
  FileListing,
  FoundLine,
  FoundLines,
  ListedFile,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  Replacement,
  SearchFilesRequest,
  ViewedFile,
  ViewFileRequest,
} from './ports/workspace/file-steps.ts';
export type {
  CommandRisk,
  ProposedChange,
  StepRefusal,
  StepRefusalCode,
  StepResult,
} from './ports/workspace/step-result.ts';
export type {
  RunChanges,
  UndoCoverage,
  UndonePath,
  UndoReport,
  UndoRequest,
  UnsavedChanges,
} from './ports/workspace/undo.ts';
export type { WorkMode, Workspace } from './ports/workspace/workspace.ts';
export type { ContextPreview, PreviewResult } from './preview/preview-context.ts';
export { PreviewContext, type PreviewContextOptions, type PreviewRequest } from './preview/preview-context.ts';
export { InMemoryRecordStore } from './records/in-memory-record-store.ts';
export { tooLargeToKeep } from './records/why-unfit.ts';
export type { Category, Confidence, Finding, FindingReport, RawFinding, Severity } from './review/finding.ts';
export type { PlacedLines } from './review/place-lines.ts';
export type {
  NotReviewed,
  Review,
  ReviewEstimate,
  ReviewOpinion,
  ReviewRequest,
  ReviewResult,
} from './review/review.ts';
export { ReviewChange, type ReviewChangeOptions } from './review/review-change.ts';
export type { RunnerPreference } from './runner-choice/choose-runner.ts';
export {
  ChoosingGeminiRunner,
  type ChoosingGeminiRunnerOptions,
  type RunnerChoice,
} from './runner-choice/choosing-gemini-runner.ts';
export { refuseLacking } from './runner-choice/list-lacks.ts';
export type { SearchReport, SearchRequest, SearchSource, SearchSupport } from './search/search-request.ts';
export type { SearchResult } from './search/search-result.ts';
export { SearchWeb, type SearchWebOptions } from './search/search-web.ts';
export { type SessionBounds, storedSessionBounds } from './session/session-bounds.ts';
export { SessionRecords, type SessionRecordsOptions } from './session/session-records.ts';
export { summarizeSession } from './session/session-summary.ts';
export { excerptFrom } from './text/excerpt-from.ts';
export { CallQueue, type CallQueueOptions, type QueueTicket } from './waiting/call-queue.ts';
