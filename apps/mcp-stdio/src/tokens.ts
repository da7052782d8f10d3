import type { AskGemini, Clock, ContextResolver, GeminiRunner } from '@gemini-mcp/core';
import type { Tool } from '@gemini-mcp/mcp';
import type { InjectionToken } from 'tsyringe';

// Each token carries its type here, in a file of its own: where it is declared, TypeScript would narrow it to a plain symbol.
export const CLOCK: InjectionToken<Clock> = Symbol('Clock');
export const CONTEXT_RESOLVER: InjectionToken<ContextResolver> = Symbol('ContextResolver');
export const GEMINI_RUNNER: InjectionToken<GeminiRunner> = Symbol('GeminiRunner');
export const ASK_GEMINI: InjectionToken<AskGemini> = Symbol('AskGemini');
export const TOOLS: InjectionToken<readonly Tool[]> = Symbol('Tools');
