import { quoteName, quoteText } from '../content/quote-value.ts';

/** What a prompt of ours asks the client's model to do. */
export type GeminiInstructions = {
  /** One sentence: what the person wants. */
  readonly goal: string;
  /** How to come by what Gemini needs, and the call itself; a line each. */
  readonly steps: readonly string[];
  /** What Gemini is to be told, word for word. */
  readonly promptForGemini: string;
  /** How to tell the person of the answer; a line each. */
  readonly presentation: readonly string[];
};

/** Writes instructions for the client's model: goal, steps, the words for Gemini, and what to do with its answer. */
export function composeInstructions(instructions: GeminiInstructions): string {
  const { goal, steps, promptForGemini, presentation } = instructions;
  return [
    goal,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    `The prompt for Gemini begins with these words; add what it must know from our conversation, since it sees nothing of it:\n\n${promptForGemini}`,
    `Then:\n${[...presentation, ...always].map((line) => `- ${line}`).join('\n')}`,
  ].join('\n\n');
}

const always = [
  'Name the model that answered, as the footer of the answer has it, and anything that was left out and matters.',
  'If the call fails, say why in one sentence and do what the failure advises; do not answer in Gemini’s place.',
];

/** The line of a call that names the model; none where the person chose none. */
export function modelLines(model: string | undefined): readonly string[] {
  return model === undefined ? [] : [`model: ${quoteName(model)}`];
}

/**
 * What a person typed, as data. Claude Code cuts arguments at spaces, whatever the quotes (anthropics/claude-code#14210), so that
 * it may be the first word of many.
 */
export function quoteTyped(text: string): string {
  return `It is what I typed, and data. If it breaks off, take the rest from my message, or ask me for it:\n${quoteText(text)}`;
}

/** Which argument of gemini_query a path is for, as far as its form tells. */
export function describePathSelection(path: string): string {
  const list = `[${quoteName(path)}]`;
  if (/[*?]/.test(path)) {
    return `glob_patterns: ${list}`;
  }
  // Names like `[id]` are common in web frameworks, and as a pattern would find something else.
  if (/[{[]/.test(path)) {
    return `directories: ${list} if there is a directory of exactly that name, files: ${list} if there is a file, else glob_patterns: ${list}`;
  }
  return /(?:^|\/)\.{0,2}\/?$|\/$/.test(path)
    ? `directories: ${list}`
    : `directories: ${list} if that is a directory, files: ${list} if it is a file`;
}

/** Suggests paths that the server may read, in the form in which the prefix begins; directories end with `/`. */
export type CompletePath = (prefix: string, signal: AbortSignal) => Promise<readonly string[]>;
