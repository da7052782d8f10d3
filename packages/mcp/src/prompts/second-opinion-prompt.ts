import type { Prompt } from '../surface/prompt.ts';
import { composeInstructions, quoteTyped } from './gemini-instructions.ts';

const promptForGemini = `An engineer is about to carry out the plan below and wants a second opinion from a colleague with no stake \
in it. Say first whether you would do it, in one sentence. Then: its assumptions and which of them are weakest; what \
it forgets; what would go wrong first, and how one would notice; which parts no one needs; and the one alternative that you \
would weigh against it, with its price. Be concrete, and refer to files by name where you were given some. Do not praise.`;

/** Creates the prompt `second-opinion`: Gemini judges a plan, and the calling model weighs the judgement. */
export function createSecondOpinionPrompt(): Prompt {
  return {
    name: 'second-opinion',
    title: 'Second opinion by Gemini',
    description: 'Has Gemini judge a plan, and weighs its judgement',
    arguments: [
      {
        name: 'plan',
        description: 'The plan, or a hint at it; empty for the plan under discussion',
        required: false,
      },
    ],
    get: ({ plan }) =>
      Promise.resolve({ description: 'Second opinion', messages: [{ role: 'user', text: judge(plan) }] }),
  };
}

function judge(plan: string | undefined): string {
  const source =
    plan === undefined
      ? 'Take the plan that we are talking about. If we have no plan yet, ask me for it and stop.'
      : `Take this plan. It may only hint at one that we have talked about. ${quoteTyped(plan)}`;
  return composeInstructions({
    goal: 'Get me a second opinion on a plan from Gemini.',
    steps: [
      source,
      'Call the tool gemini_query with the whole plan, understandable without our conversation, at the end of the prompt: the goal, the starting point, the steps, the rejected options and why. Name the code concerned in files, glob_patterns or directories.',
    ],
    promptForGemini,
    presentation: [
      'Tell me where Gemini disagrees with the plan, and for each whether you think it is right, and why. Where you both agree, one line is enough.',
      'End with the plan as you would now change it, or say that you would keep it.',
    ],
  });
}
