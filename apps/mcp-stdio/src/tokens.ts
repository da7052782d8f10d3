import type { GeminiCliFinder, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import type {
  AnswerStore,
  CallQueue,
  Clock,
  ContextResolver,
  GeminiRunner,
  JobBoard,
  ModelHealth,
  SessionStore,
} from '@gemini-mcp/core';
import type { Surface, ToolOutcome } from '@gemini-mcp/mcp';
import type { UseCases } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';

// Each token carries its type here, in a file of its own: where it is declared, TypeScript would narrow it to a plain symbol.
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');
export const CLI_FINDER: InjectionToken<GeminiCliFinder> = Symbol('CliFinder');
export const CONTEXT_RESOLVER: InjectionToken<ContextResolver> = Symbol('ContextResolver');
/** Lives beyond a call, and is to be closed; null where every call has a process of its own. */
export const WARM_RUNNER: InjectionToken<WarmGeminiRunner | null> = Symbol('WarmRunner');
export const GEMINI_RUNNER: InjectionToken<GeminiRunner> = Symbol('GeminiRunner');
export const SESSION_STORE: InjectionToken<SessionStore> = Symbol('SessionStore');
export const ANSWER_STORE: InjectionToken<AnswerStore> = Symbol('AnswerStore');
export const MODEL_HEALTH: InjectionToken<ModelHealth> = Symbol('ModelHealth');
export const CALL_QUEUE: InjectionToken<CallQueue> = Symbol('CallQueue');
export const JOBS: InjectionToken<JobBoard<ToolOutcome>> = Symbol('Jobs');
export const USE_CASES: InjectionToken<UseCases> = Symbol('UseCases');
export const SURFACE: InjectionToken<Surface> = Symbol('Surface');
