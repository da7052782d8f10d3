import type { Prompt } from '../surface/prompt.ts';
import { composeInstructions, describePathSelection, quoteTyped } from './gemini-instructions.ts';
import type { PathPromptOptions } from './review-prompt.ts';

const promptForGemini = `Hunt for bugs in these files: cases where the code does something other than what it, its names, its comments \
or its tests say. Go through boundaries (empty, one, huge, negative, missing, repeated), orders of events, failures half-way, time \
zones and clocks, encodings, concurrent callers, and what hostile callers may pass. For each bug: file and line, an input or sequence of \
events that shows it, what happens and what should, how sure you are. The surest first. Leave out code that is merely unusual. If you \
find none, say which cases you went through.`;

/** Creates the prompt `find-bugs`: Gemini hunts for bugs below a path and the calling model tries to prove them. */
export function createFindBugsPrompt({ completePath }: Pick<PathPromptOptions, 'completePath'>): Prompt {
  return {
    name: 'find-bugs',
    title: 'Find bugs with Gemini',
    description: 'Has Gemini hunt for bugs in a file or directory, and tries to prove each of them',
    arguments: [
      {
        name: 'path',
        description: 'File, directory or glob pattern to search',
        required: true,
        complete: completePath,
      },
      // Last, because clients that take arguments by position put at best the rest of the line here.
      { name: 'focus', description: 'What to look at above all, such as a symptom', required: false },
    ],
    get: ({ path = '.', focus }) =>
      Promise.resolve({
        description: 'Hunt for bugs',
        messages: [{ role: 'user', text: findBugs(path, focus) }],
      }),
  };
}

function findBugs(path: string, focus: string | undefined): string {
  const focusSteps =
    focus === undefined ? [] : [`Tell Gemini at the end of the prompt to look at this above all. ${quoteTyped(focus)}`];
  return composeInstructions({
    goal: 'Have Gemini hunt for bugs, and tell me which of them are real.',
    steps: [
      `Call the tool gemini_query, without reading the files yourself first, with ${describePathSelection(path)}; timeout: 300.`,
      ...focusSteps,
    ],
    promptForGemini,
    presentation: [
      'Try to prove each bug: read the lines in question, and run a small test where you can do so without changing anything.',
      'Report the proven ones first, each as file:line with what shows it; then those that you could neither prove nor rule out; then, in one line, how many were wrong. Repair nothing unless I ask for it.',
    ],
  });
}
