/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { linkedAbort } from './agent/linked-abort.ts';
export { commandEndText, stepText, unkeptText, workLines } from './agent/work-lines.ts';
export type { AnswerPart } from './answers/answer-part.ts';
export { byteEnd, byteStart } from './answers/cut-end.ts';
export { type FoundInAnswer, findIn } from './answers/find-in.ts';
export { maxResultBytes } from './answers/max-result-bytes.ts';
export { firstPart, readFrom } from './answers/read-from.ts';
export { readLines } from './answers/read-lines.ts';
export { splitsPair } from './answers/splits-pair.ts';
export { ApprovalDesk, type ApprovalDeskOptions } from './approvals/approval-desk.ts';
export { canonicalJson } from './approvals/canonical-json.ts';
export { describeLasting } from './approvals/describe-lasting.ts';
export { type PresentedApproval, presentApproval } from './approvals/present-approval.ts';
export type { Approval, ApprovalRecord, StepToApprove } from './approvals/step-to-approve.ts';
export { withoutFiles } from './ask-gemini/ask-request.ts';
export { formatPreview } from './ask-gemini/format-preview.ts';
export type { CommandDecision, CommandJudgement, CommandRule, RuleWord } from './commands/command-rule.ts';
export { holdsFor, judgePlan, unwrapCommand } from './commands/judge-command.ts';
export { judgeScripts, runsScripts, scriptKindOf } from './commands/judge-scripts.ts';
export { lastingPrefix } from './commands/lasting-prefix.ts';
export { shippedCommandRules } from './commands/shipped-command-rules.ts';
export { escapeName } from './context/escape-name.ts';
export { utf8BytesAt, utf8Length } from './context/utf8-length.ts';
export { judgeElision, type ReplacedText, replaceInText } from './edits/replace-in-text.ts';
export type { ReplacementFault } from './edits/replacement-fault.ts';
export { type UnifiedDiff, type UnifiedDiffOptions, unifiedDiff } from './edits/unified-diff.ts';
export { isDelivered } from './failure/answer-ending.ts';
export { describeShortage } from './failure/describe-shortage.ts';
export { failureOfEnding } from './failure/end-of-answer.ts';
export { quoteStrangers } from './failure/quote-strangers.ts';
export { shownPartial } from './failure/shown-partial.ts';
export { chainFor, modelWindowTokens } from './fallback/model-chain.ts';
export { endingNote } from './footer/ending-lines.ts';
export { countOf, formatCount } from './footer/format-count.ts';
export { toGeminiSchema } from './gemini-schema/to-gemini-schema.ts';
export { isWebAddress } from './grounding/is-web-address.ts';
export { type HostNearness, hostNearness, isMetadataHost } from './hosts/host-nearness.ts';
export { type BegunLogins, InMemoryBegunLogins, type LoginAnswer, type LoginBeginning } from './hub/begun-logins.ts';
export {
  type Admission,
  admit,
  type ConnectionEvent,
  type ConnectionFailure,
  type ConnectionState,
  nextConnectionState,
} from './hub/connection-state.ts';
export { CredentialRecords, type CredentialRecordsOptions, type CredentialStore } from './hub/credential-records.ts';
export { findExcess, type JsonLimits } from './hub/find-excess.ts';
export { findToolFlags, type ToolFlag, type WordedTool } from './hub/find-tool-flags.ts';
export { restoreNames } from './hub/input-schema/argument-names.ts';
export { type FitSchema, fitInputSchema } from './hub/input-schema/fit-input-schema.ts';
export type { Keychain, KeychainRead } from './hub/keychain.ts';
export {
  type LendToolsOptions,
  type LentServerTool,
  type LentServerTools,
  lendTools,
  type SetAsideTool,
  type ToolsOfServer,
} from './hub/lend-tools.ts';
export { type LentNameOptions, lentName, type ServerTool, type Sha256 } from './hub/lent-name.ts';
export { type KeptLists, ListRecords } from './hub/list-records.ts';
export { orderMembers } from './hub/order-members.ts';
export type {
  ArgumentCompletion,
  JudgedTool,
  OtherServer,
  OtherServerLists,
  OtherServerRequest,
  OtherServers,
  ServerReply,
} from './hub/other-servers.ts';
export { type KeptPins, PinRecords } from './hub/pin-records.ts';
export { ProjectApprovals, type ProjectSettings } from './hub/project-approvals.ts';
export { RecentlyUsed } from './hub/recently-used.ts';
export { approveCommand, loginCommand, usualProgram } from './hub/server-commands.ts';
export type {
  ClientRegistration,
  CredentialPlace,
  CredentialSave,
  CredentialToSave,
  IssuedTokens,
  KeptCredential,
  ServerCredential,
} from './hub/server-credential.ts';
export type { ListedPrompt, ListedResource, ListedTool, ServerLists } from './hub/server-lists.ts';
export type {
  KnownLogin,
  LoginEnd,
  LoginLink,
  LoginPlace,
  LoginRequest,
  LogoutEnd,
  ServerLogins,
} from './hub/server-logins.ts';
export type {
  ServerProcess,
  ServerProcessEnd,
  ServerProcesses,
  ServerProgram,
  ServerStart,
  ServerTransport,
} from './hub/server-processes.ts';
export type { ServerAnswer, ServerQuestion, ServerQuestions } from './hub/server-questions.ts';
export { formatServers } from './hub/status-view/format-servers.ts';
export type {
  ArgumentView,
  PromptView,
  ResourceView,
  ServersView,
  ServerView,
  ToolView,
} from './hub/status-view/servers-view.ts';
export { type ServerOff, type ViewServersOptions, viewServers } from './hub/status-view/view-servers.ts';
export {
  approveTools,
  type JudgedTools,
  type JudgeToolsOptions,
  judgeTools,
  type PinMode,
  type ToolJudgement,
  type ToolPin,
} from './hub/tool-pin.ts';
export { fence } from './instruction/fence.ts';
export { KnownModels } from './models/known-models.ts';
export { describeRetirement } from './models/retired-models.ts';
export { didYouMean, nearestName } from './names/nearest-name.ts';
export type { Opened, Sealed, Sealer } from './ports/sealer.ts';
export { fairShare } from './queue/call-queue.ts';
export { isRecordKey, whyUnfit } from './records/why-unfit.ts';
export { type LedgerEntry, RecordLedger } from './retention/record-ledger.ts';
export { choiceTexts } from './runner-choice/choice-reason.ts';
export { sessionLine } from './session/session-line.ts';
export { titleOf } from './session/title-of.ts';
export { EscapedControls, escapeControls } from './shown-text/escape-controls.ts';
export { escapeJson } from './shown-text/escape-json.ts';
export { redactGitConfig } from './shown-text/redact-git-config.ts';
export { createRedactor } from './shown-text/redact-secrets.ts';
export { shellWord } from './shown-text/shell-word.ts';
export { listsInMemory, pinsInMemory } from './testing/records-in-memory.ts';
export { addUsage } from './usage/add-usage.ts';
export { beforeAbort } from './waiting/before-abort.ts';
export { hasSlept } from './waiting/has-slept.ts';
export { ReadingPace } from './waiting/reading-pace.ts';
export { aborted } from './waiting/unless-aborted.ts';
export { type WaitAtMostOptions, waitAtMost } from './waiting/wait-at-most.ts';
export { type ChangeSituation, judgeChange, judgePlace } from './workspace/judge-change.ts';
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
export { protectedPlaces } from './write-rules/guarded-names.ts';
export { judgeWrite, type WriteJudgement } from './write-rules/judge-write.ts';
