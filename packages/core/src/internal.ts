/** For the other packages of this project. Anything here may change in any release: the public entry is the main one. */

export { describeShortage } from './account/describe-shortage.ts';
export { endingNote } from './account/ending-lines.ts';
export { shownPartial } from './account/shown-partial.ts';
export { type HostNearness, hostNearness, isMetadataHost } from './addresses/host-nearness.ts';
export { isWebAddress } from './addresses/is-web-address.ts';
export { commandEndText, stepText, unsavedText, workLines } from './agent/work-lines.ts';
export type { AnswerPart } from './answers/answer-part.ts';
export { type FoundInAnswer, findIn } from './answers/find-in.ts';
export { maxResultBytes } from './answers/max-result-bytes.ts';
export { firstPart, readFrom } from './answers/read-from.ts';
export { readLines } from './answers/read-lines.ts';
export { ApprovalPrompts, type ApprovalPromptsOptions } from './approvals/approval-prompts.ts';
export { describeLasting } from './approvals/describe-lasting.ts';
export { type PresentedApproval, presentApproval } from './approvals/present-approval.ts';
export type { Approval, ApprovalRecord } from './approvals/step-to-approve.ts';
export { addUsage } from './ask-gemini/add-usage.ts';
export { withoutFiles } from './ask-gemini/ask-request.ts';
export type { CommandDecision, CommandJudgement, CommandRule, RuleWord } from './commands/command-rule.ts';
export { holdsFor, judgePlan, unwrapCommand } from './commands/judge-command.ts';
export { judgeScripts, runsScripts, scriptKindOf } from './commands/judge-scripts.ts';
export { lastingPrefix } from './commands/lasting-prefix.ts';
export { shippedCommandRules } from './commands/shipped-command-rules.ts';
export type { LineSource, LocatedLines } from './context/locate-lines.ts';
export { createNoFilesResolver } from './context/no-files-resolver.ts';
export { finishSteps, type LinesPart, type LinesPlan, type LinesRequest, planLines } from './context/plan-lines.ts';
export { judgeElision, type ReplacedText, replaceInText } from './edits/replace-in-text.ts';
export type { ReplacementFault } from './edits/replacement-fault.ts';
export { type UnifiedDiff, type UnifiedDiffOptions, unifiedDiff } from './edits/unified-diff.ts';
export { isDelivered } from './failure/answer-ending.ts';
export { chainFor, modelWindowTokens } from './fallback/model-chain.ts';
export { failureOfEnding } from './google/end-of-answer.ts';
export { toWaitMs } from './google/wait-time.ts';
export { canonicalJson } from './json/canonical-json.ts';
export { findOversize, type JsonLimits } from './json/find-oversize.ts';
export { orderMembers } from './json/order-members.ts';
export { toGeminiSchema } from './json/to-gemini-schema.ts';
export { ServerTools, type ServerToolsOptions } from './model-tools/server-tools.ts';
export { KnownModels } from './models/known-models.ts';
export { describeRetirement } from './models/retired-models.ts';
export { formatOpinions, type ShownOpinion, whyNotCompared } from './opinions/format-opinions.ts';
export type { StepToApprove } from './ports/approver.ts';
export type { RateLimits, WindowCount } from './ports/rate-limits.ts';
export type { Sha256 } from './ports/sha256.ts';
export type { ConnectionFailure, ConnectionState } from './ports/upstreams/connection-state.ts';
export type { Keychain, KeychainRead } from './ports/upstreams/keychain.ts';
export type { Sealed, Sealer, Unsealed } from './ports/upstreams/sealer.ts';
export type {
  ClientRegistration,
  CredentialKey,
  CredentialSave,
  CredentialToSave,
  IssuedTokens,
  ServerCredential,
  StoredCredential,
} from './ports/upstreams/server-credential.ts';
export type { ListedPrompt, ListedResource, ListedTool, ServerLists } from './ports/upstreams/server-lists.ts';
export type {
  BegunLogins,
  KnownLogin,
  LoginAnswer,
  LoginBeginning,
  LoginEnd,
  LoginKey,
  LoginLink,
  LoginRequest,
  LogoutEnd,
  ServerLogins,
} from './ports/upstreams/server-logins.ts';
export type {
  ServerProcess,
  ServerProcessEnd,
  ServerProcesses,
  ServerProgram,
  ServerStart,
  ServerTransport,
} from './ports/upstreams/server-processes.ts';
export type { ServerAnswer, ServerQuestion, ServerQuestions } from './ports/upstreams/server-questions.ts';
export type {
  ArgumentCompletion,
  JudgedTool,
  ServerReply,
  ServerTool,
  ToolJudgement,
  UpstreamCall,
  UpstreamListing,
  UpstreamServers,
  UpstreamSnapshot,
} from './ports/upstreams/upstream-servers.ts';
export type { CommandReading, CommandRefusal } from './ports/workspace/command-plan.ts';
export { formatPreview } from './preview/format-preview.ts';
export { type RetentionEntry, RetentionIndex } from './records/retention-index.ts';
export { isUnreadableStore, UnreadableStoreError } from './records/unreadable-store-error.ts';
export { isRecordKey, whyUnfit } from './records/why-unfit.ts';
export { textAfterPatch } from './review/apply-patch.ts';
export { severities } from './review/finding.ts';
export { formatReview } from './review/format-review.ts';
export { type ParsedChange, parseChange } from './review/parse-change.ts';
export { type Hunk, type ParsedPatch, type PatchFile, type PatchLine, parsePatch } from './review/parse-patch.ts';
export { describeReviewAsData, type ReviewData } from './review/review-data.ts';
export { fingerprintName, toSarif } from './review/to-sarif.ts';
export { choiceTexts } from './runner-choice/choice-reason.ts';
export { sessionLine } from './session/session-line.ts';
export { titleOf } from './session/title-of.ts';
export { listsInMemory, pinsInMemory } from './testing/records-in-memory.ts';
export { EscapedControls, escapeControls } from './text/escape-controls.ts';
export { escapeJson } from './text/escape-json.ts';
export { escapeName } from './text/escape-name.ts';
export { fence } from './text/fence.ts';
export { countOf, formatCount } from './text/format-count.ts';
export { didYouMean, nearestName } from './text/nearest-name.ts';
export { quoteStrangers } from './text/quote-strangers.ts';
export { redactGitConfig } from './text/redact-git-config.ts';
export { createRedactor } from './text/redact-secrets.ts';
export { shellWord } from './text/shell-word.ts';
export { splitsSurrogatePair } from './text/splits-surrogate-pair.ts';
export { byteEnd, byteStart } from './text/truncate-text.ts';
export { utf8BytesAt, utf8Length } from './text/utf8-length.ts';
export { InMemoryBegunLogins } from './upstreams/begun-logins.ts';
export {
  admit,
  type ConnectionAdmission,
  type ConnectionEvent,
  nextConnectionState,
} from './upstreams/connection-state.ts';
export {
  CredentialRecords,
  type CredentialRecordsOptions,
  type CredentialStore,
} from './upstreams/credential-records.ts';
export { findToolFlags, type ToolFlag, type WordedTool } from './upstreams/find-tool-flags.ts';
export { restoreNames } from './upstreams/input-schema/argument-names.ts';
export { type FitSchema, fitInputSchema } from './upstreams/input-schema/fit-input-schema.ts';
export { ListRecords, type UpstreamListStore } from './upstreams/list-records.ts';
export { type ModelToolNameOptions, modelToolName } from './upstreams/model-tool-name.ts';
export { PinRecords, type ToolPinStore } from './upstreams/pin-records.ts';
export { ProjectApprovals, type ProjectSettings } from './upstreams/project-approvals.ts';
export { approveCommand, loginCommand, usualProgram } from './upstreams/server-commands.ts';
export { formatServers } from './upstreams/status-view/format-servers.ts';
export type {
  ArgumentView,
  PromptView,
  ResourceView,
  ServersView,
  ServerView,
  ToolView,
} from './upstreams/status-view/servers-view.ts';
export { type ServerOff, type ViewServersOptions, viewServers } from './upstreams/status-view/view-servers.ts';
export {
  type SetAsideTool,
  type ToModelToolsOptions,
  type ToolsOfServer,
  toModelTools,
  type UpstreamTool,
  type UpstreamTools,
} from './upstreams/to-model-tools.ts';
export {
  approveTools,
  type JudgedTools,
  type JudgeToolsOptions,
  judgeTools,
  type PinMode,
  type ToolPin,
} from './upstreams/tool-pin.ts';
export { InMemoryUsageLedger } from './usage/in-memory-usage-ledger.ts';
export { costOf, type ModelPrice, modelPrices, priceAt, readPrices } from './usage/model-prices.ts';
export { type UsageGroup, type UsageRow, UsageSummary, usageGroups } from './usage/summarize-usage.ts';
export { readUsageEntry, usageEntryOf } from './usage/usage-entry.ts';
export { fairShare } from './waiting/call-queue.ts';
export { linkedAbort } from './waiting/linked-abort.ts';
export { raceAbort } from './waiting/race-abort.ts';
export { raceTimeout, type WaitAtMostOptions } from './waiting/race-timeout.ts';
export { ReadingPace } from './waiting/reading-pace.ts';
export { RecentlyUsed } from './waiting/recently-used.ts';
export { sleepUnlessAborted } from './waiting/sleep-unless-aborted.ts';
export { aborted } from './waiting/unless-aborted.ts';
export { protectedPaths } from './workspace/guarded-names.ts';
export { type ChangeSituation, judgeChange, judgePlace } from './workspace/judge-change.ts';
export { judgeWrite, type WriteJudgement } from './workspace/judge-write.ts';
export { createLineSearch, type FindInLine, type FoundPlace, searchLines } from './workspace/line-search.ts';
export { SeenFiles } from './workspace/seen-files.ts';
export {
  cancelled,
  changedSinceRead,
  isClosed,
  isNoDirectory,
  isNoFile,
  looksSecret,
  noMedia,
  notFound,
  notText,
  outsideRoots,
  readsOnly,
  refusal,
  refused,
  tooLarge,
} from './workspace/step-refusals.ts';
export { maxViewCharacters, viewLines } from './workspace/view-lines.ts';
