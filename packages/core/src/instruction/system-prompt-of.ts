import type { RunSettings } from '../ports/gemini-runner.ts';
import { plainInstruction } from './plain-instruction.ts';

/**
 * The system prompt of a run: the one that its settings bring, else `plainInstruction`. Null where Gemini may use all tools: the
 * runner then keeps a prompt of its own, which says how its tools are used.
 */
export function systemPromptOf({ systemPrompt, tools }: Pick<RunSettings, 'systemPrompt' | 'tools'>): string | null {
  return systemPrompt ?? (tools === 'everything' ? null : plainInstruction);
}
