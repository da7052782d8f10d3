import type { Completer, Prompt } from '../surface/prompt.ts';
import { createExplainArchitecturePrompt } from './explain-architecture-prompt.ts';
import { createFindBugsPrompt } from './find-bugs-prompt.ts';
import type { CompletePath } from './gemini-instructions.ts';
import { createReviewPrompt } from './review-prompt.ts';
import { createSecondOpinionPrompt } from './second-opinion-prompt.ts';
import { createWebResearchPrompt } from './web-research-prompt.ts';

export type PromptsOptions = {
  readonly completePath: CompletePath;
  /** The models to suggest. */
  readonly models: readonly string[];
  /** The tools that the server offers: a prompt whose tool is missing is left out. */
  readonly toolNames: readonly string[];
};

/** Creates every prompt whose tool the server offers. */
export function createPrompts({ completePath, models, toolNames }: PromptsOptions): readonly Prompt[] {
  const options = {
    completePath: (value: string, { signal }: { readonly signal: AbortSignal }) => completePath(value, signal),
    completeModel: createModelCompleter(models),
  };
  const prompts = {
    gemini_query: [
      createReviewPrompt(options),
      createExplainArchitecturePrompt(options),
      createFindBugsPrompt(options),
      createSecondOpinionPrompt(),
    ],
    googleSearch: [createWebResearchPrompt()],
  };
  return Object.entries(prompts).flatMap(([toolName, served]) => (toolNames.includes(toolName) ? served : []));
}

/** Suggests models in the order of fallback. */
function createModelCompleter(models: readonly string[]): Completer {
  return (value) => Promise.resolve(models.filter((model) => model.startsWith(value.toLowerCase())));
}
