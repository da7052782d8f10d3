/** For programs that ask Gemini, and for adapters: the ports, the use cases, stores in memory, readings of what Google says, words. */
export type {
  CalledTool,
  Counted,
  RanCommand,
  RefusedStep,
  StepOutcome,
  WorkAccount,
  WorkStep,
} from './agent/work-account.ts';
export type { WorkBudget } from './agent/work-budget.ts';
export { type OpenStep, type StepToTake, WorkLog, type WorkLogOptions } from './agent/work-log.ts';
export { WorkOnTask, type WorkOnTaskOptions } from './agent/work-on-task.ts';
export type { ProjectToLend, WorkProgress, WorkRequest, WorkResult } from './agent/work-request.ts';
export { AnswerRecords, type AnswerRecordsOptions } from './answers/answer-records.ts';
export { ApprovalRecords, type ApprovalRecordsOptions } from './approvals/approval-records.ts';
export type { ApprovalRecord, StepToApprove } from './approvals/step-to-approve.ts';
export { type AskEnd, AskGemini, type AskGeminiOptions } from './ask-gemini/ask-gemini.ts';
export type { AskProgress, AskRequest, OnProgress } from './ask-gemini/ask-request.ts';
export type {
  AskAnswer,
  AskFailure,
  AskResult,
  Attempt,
  ContextLimits,
  ContextReport,
} from './ask-gemini/ask-result.ts';
export type { ContextPreview, PreviewResult } from './ask-gemini/preview-context.ts';
export { PreviewContext, type PreviewContextOptions, type PreviewRequest } from './ask-gemini/preview-context.ts';
export type { SentPart } from './ask-gemini/sent-part.ts';
export { Chat, type ChatOptions } from './chat/chat.ts';
export type { ChatReplyRequest, ChatRequest } from './chat/chat-request.ts';
export type { ChatResult } from './chat/chat-result.ts';
export type {
  CommandPipeline,
  CommandPlan,
  CommandReading,
  CommandRefusal,
  CommandWord,
  OutputStreams,
  PatternPiece,
  Redirection,
  SimpleCommand,
} from './commands/command-plan.ts';
export type { CommandDecision, CommandRule, RuleWord } from './commands/command-rule.ts';
export type { BoundaryOf } from './context/boundary.ts';
export { type LeftOut, type LeftOutReason, leftOutTexts } from './context/left-out.ts';
export type { LineSource, LocatedLines } from './context/locate-lines.ts';
export { mediaHeadBytes, mediaTypeOf } from './context/media-type-of.ts';
export { createNoFilesResolver } from './context/no-files-resolver.ts';
export { type AskedLines, type NamedLines, parseLineRange } from './context/parse-line-range.ts';
export { finishSteps, type LinesPart, type LinesPlan, type LinesRequest, planLines } from './context/plan-lines.ts';
export type { Replacement } from './edits/replacement.ts';
export {
  type AnswerEnding,
  type DeliveredEnding,
  type EndOfStream,
  parseAnswerEnding,
} from './failure/answer-ending.ts';
export { type DescribeFailureOptions, describeFailure } from './failure/describe-failure.ts';
export { type EndedAnswer, endOfAnswer } from './failure/end-of-answer.ts';
export { excerptFrom } from './failure/excerpt-from.ts';
export { failureAdvice } from './failure/failure-advice.ts';
export { failureReason } from './failure/failure-reason.ts';
export type { CallPurpose, FailureText, FailureTexts, FailureWords } from './failure/failure-words.ts';
export type { FailureKind, GeminiFailure, WithDetail, WithExcerpt } from './failure/gemini-failure.ts';
export type { InputRefusal } from './failure/input-refusal.ts';
export { type GoogleErrorOptions, type GoogleFailure, readGoogleError } from './failure/read-google-error.ts';
export type { UnsupportedFeature } from './failure/unsupported-feature.ts';
export { readRetryAfter, toWaitMs } from './failure/wait-time.ts';
export { defaultModelChain, type ModelChain, type WindowOf } from './fallback/model-chain.ts';
export { type FormatAccountOptions, formatAccount } from './footer/format-account.ts';
export type { Grounding, GroundingSource, GroundingSupport } from './grounding/grounding.ts';
export type { NamedPage, WebPage } from './grounding/web-page.ts';
export { ModelHealth, type ModelHealthReport } from './health/model-health.ts';
export type { ServerTool, Sha256 } from './hub/lent-name.ts';
export type { ServerLender, ServersOfCall, ServersToLend } from './hub/server-lender.ts';
export type { ServerAnswer, ServerQuestion, ServerQuestions } from './hub/server-questions.ts';
export { plainInstruction } from './instruction/plain-instruction.ts';
export { systemPromptOf } from './instruction/system-prompt-of.ts';
export { JobBoard, type JobBoardOptions } from './jobs/job-board.ts';
export type { JobEnd, JobNews, JobReport, JobState, Jobs, JobTask, JobToStart, JobToWaitFor } from './jobs/jobs.ts';
export type { AnswerForm } from './json-answer/answer-form.ts';
export { AskForJson, type AskForJsonOptions, type JsonResult } from './json-answer/ask-for-json.ts';
export { LentDirectories, type LentDirectoriesOptions } from './lending/lent-directories.ts';
export { LentServers, type LentServersOptions } from './lending/lent-servers.ts';
export { type AnsweredCall, LentTools } from './lending/lent-tools.ts';
export type { LentRequest, ToolLender } from './lending/with-tool-sources.ts';
export type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from './ports/answer-store.ts';
export type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalQuestion,
  ApprovalStore,
  ApprovalSubject,
  ApprovalToKeep,
  Approver,
  LastingApproval,
} from './ports/approver.ts';
export type { Clock } from './ports/clock.ts';
export type {
  ContextBundle,
  ContextDocument,
  ContextResolver,
  ContextSelection,
  InlineMedia,
  LineRange,
} from './ports/context-resolver.ts';
export type {
  Executor,
  SandboxState,
  UndonePath,
  UndoReport,
  UndoRequest,
  WorkMode,
  Workspace,
  WorkspaceOptions,
} from './ports/executor.ts';
export {
  type CallDirectory,
  type CarriedBy,
  type ConversationTurn,
  type GeminiRunner,
  type ModelUsage,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunNeeds,
  type RunnerCapabilities,
  type RunnerWay,
  type RunRequest,
  type RunSettings,
  type ThinkingLevel,
  type ToolAccess,
  type ToolEvent,
} from './ports/gemini-runner.ts';
export type { CatalogModel, ModelCatalog, ModelList } from './ports/model-catalog.ts';
export type { RateLimits, WindowCount } from './ports/rate-limits.ts';
export type {
  KeptRecord,
  ListedRecord,
  RecordBounds,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
} from './ports/record-store.ts';
export type {
  DeleteResult,
  SaveResult,
  Session,
  SessionStore,
  SessionSummary,
  SessionTurn,
  StoredSession,
} from './ports/session-store.ts';
export type { TokenCount } from './ports/token-count.ts';
export type { Lending, LendingRequest, ToolEndpoint } from './ports/tool-endpoint.ts';
export type { LentCall, LentProgress, LentResult, LentTool, ToolSource } from './ports/tool-source.ts';
export type {
  ChangeConsent,
  ChangedFile,
  CommandEnd,
  CommandReport,
  CommandRequest,
  CommandRisk,
  FileChange,
  FileListing,
  FoundLine,
  FoundLines,
  ListedFile,
  ListFilesRequest,
  ModifyFileRequest,
  ProposedChange,
  PutFileRequest,
  RunChanges,
  SearchFilesRequest,
  StepRefusal,
  StepRefusalCode,
  StepResult,
  UndoCoverage,
  UnkeptChanges,
  ViewedFile,
  ViewFileRequest,
} from './ports/workspace-steps.ts';
export { CallQueue, type CallQueueOptions, type QueueTicket } from './queue/call-queue.ts';
export { InMemoryRecordStore } from './records/in-memory-record-store.ts';
export { tooLargeToKeep } from './records/why-unfit.ts';
export type { ChoiceReason } from './runner-choice/choice-reason.ts';
export type { RunnerPreference } from './runner-choice/choose-runner.ts';
export {
  ChoosingGeminiRunner,
  type ChoosingGeminiRunnerOptions,
  type RunnerChoice,
} from './runner-choice/choosing-gemini-runner.ts';
export { refuseRequest } from './runner-choice/list-lacks.ts';
export type { SearchReport, SearchRequest, SearchSource, SearchSupport } from './search/search-request.ts';
export type { SearchResult } from './search/search-result.ts';
export { SearchWeb, type SearchWebOptions } from './search/search-web.ts';
export { type SessionBounds, storedSessionBounds } from './session/session-bounds.ts';
export { SessionRecords, type SessionRecordsOptions } from './session/session-records.ts';
export { summarizeSession } from './session/session-summary.ts';
