import type { Prompt } from '../surface/prompt.ts';
import { composeInstructions, describePathSelection, modelLines } from './gemini-instructions.ts';
import type { PathPromptOptions } from './review-prompt.ts';

const promptForGemini = `Explain the architecture of this code to an experienced engineer who will work on it tomorrow: its purpose; \
the parts, what each owns and how they depend on each other; how one typical request or run flows through them, by file and \
function; where state lives and who may change it; the rules that the code keeps, and the places that break them; where to begin a \
change. Name files for every claim. Say what you could not see.`;

/** Creates the prompt `explain-architecture`: Gemini reads a whole directory and explains how it is built. */
export function createExplainArchitecturePrompt({ completePath, completeModel }: PathPromptOptions): Prompt {
  return {
    name: 'explain-architecture',
    title: 'Explain an architecture with Gemini',
    description: 'Has Gemini read a whole directory and explain how it is built',
    arguments: [
      {
        name: 'directory',
        description: 'Directory to explain; empty for the working directory',
        required: false,
        complete: async (value, context) =>
          (await completePath(value, context)).filter((suggestion) => suggestion.endsWith('/')),
      },
      {
        name: 'model',
        description: 'Gemini model; empty for the best available',
        required: false,
        complete: completeModel,
      },
    ],
    get: ({ directory = '.', model }) =>
      Promise.resolve({
        description: 'Explanation of an architecture',
        messages: [{ role: 'user', text: explain(directory, model) }],
      }),
  };
}

function explain(directory: string, model: string | undefined): string {
  const selection = [describePathSelection(directory), ...modelLines(model)].join('; ');
  return composeInstructions({
    goal: 'Have Gemini explain how this code is built, and give me the explanation.',
    steps: [
      `Call the tool gemini_query, without reading the files yourself first, with ${selection}; timeout: 300.`,
      'If files were left out for their size or number and the explanation suffers from it, ask again for the parts one by one.',
    ],
    promptForGemini,
    presentation: [
      'Give me the explanation in your words, on one page at most: purpose, parts and their dependencies, one flow from end to end, where to begin. Keep the file names.',
      'Look up two or three of its claims in the code, the boldest ones, and correct those that are wrong.',
    ],
  });
}
