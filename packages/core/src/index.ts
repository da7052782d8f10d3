export type { AskProgress, AskRequest } from './ask-gemini/ask-request.ts';
export type { AskAnswer, AskFailure, AskResult, Attempt, ContextReport } from './ask-gemini/ask-result.ts';
export type { LeftOut, LeftOutReason } from './context/left-out.ts';
export type { FailureKind, GeminiFailure } from './failure/gemini-failure.ts';
export type { InputRefusal, RunOutcome } from './failure/run-outcome.ts';
export type { Clock } from './ports/clock.ts';
export type { ContextBundle, ContextDocument, ContextResolver, ContextSelection } from './ports/context-resolver.ts';
export type { GeminiRunner, ModelUsage, RunEvent, RunnerCapabilities, RunRequest } from './ports/gemini-runner.ts';
export type { SaveResult, Session, SessionStore, SessionTurn, StoredSession } from './ports/session-store.ts';
