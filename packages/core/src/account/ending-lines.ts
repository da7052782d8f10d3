import type { AskAnswer } from '../answers/ask-result.ts';
import { escapeName } from '../text/escape-name.ts';

/** Half of the 65,536 output tokens of a model, because they include its thoughts, which not every run counts. */
const nearLimitTokens = 32_768;
/** A rough measure: other languages have fewer. */
const charactersPerToken = 4;

const advice = '  - Ask Gemini to continue after its last sentence, or for less at once.';

/** Warns readers that the answer is or may be cut. Empty for a complete answer. */
export function endingWarning(answer: AskAnswer): readonly string[] {
  const { ending } = answer;
  if (ending?.type === 'output-limit') {
    return ['[WARNING: The answer is cut: Gemini reached the limit of what it writes at once]', advice];
  }
  if (ending?.type === 'unknown') {
    return [
      `[WARNING: The answer may be cut: Gemini ended it for a reason unknown here, ${escapeName(ending.reason)}]`,
    ];
  }
  return ending === undefined && isNearLimit(answer)
    ? ['[WARNING: The answer may be cut: it is long, and it is not known how it ended]', advice]
    : [];
}

/** A shorter warning for readers who see the end of the answer without its beginning; null for an answer of any other ending. */
export function endingNote(answer: AskAnswer): string | null {
  if (answer.ending?.type === 'output-limit') {
    return 'The answer is cut here: Gemini reached the limit of what it writes at once.';
  }
  return endingWarning(answer).length === 0 ? null : 'The answer may be cut here.';
}

function isNearLimit({ text, usage }: AskAnswer): boolean {
  const tokens = usage.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  return Math.max(tokens, text.length / charactersPerToken) >= nearLimitTokens;
}
