import type { RunSettings } from '../ports/gemini-runner.ts';
import { plainInstruction } from './plain-instruction.ts';

/**
 * The system prompt of a run: the one that its settings bring, else `plainInstruction`. Null where Gemini has files to look into
 * or may use all tools: the runner then keeps a prompt of its own, which says how its tools are used.
 *
 * A runner that goes on without the directory of the settings calls this with `directory: null`.
 */
export function systemPromptOf({
  systemPrompt,
  tools,
  directory,
}: Pick<RunSettings, 'systemPrompt' | 'tools' | 'directory'>): string | null {
  const usesTools = tools === 'everything' || (tools === 'read-only' && directory !== null);
  return systemPrompt ?? (usesTools ? null : plainInstruction);
}
