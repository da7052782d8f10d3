import { describe, expect, it } from 'vitest';
import type { AskAnswer } from '../answers/ask-result.ts';
import { endingNote, endingWarning } from './ending-lines.ts';
import { formatAccount } from './format-account.ts';

const answered: AskAnswer = { text: 'Because.', model: 'pro', attempts: [], usage: [], context: null };
const cut = '[WARNING: The answer is cut: Gemini reached the limit of what it writes at once]';
const maybeCut = '[WARNING: The answer may be cut: it is long, and it is not known how it ended]';
const advice = '  - Ask Gemini to continue after its last sentence, or for less at once.';

function used(outputTokens: number) {
  return { model: 'pro', inputTokens: 1, outputTokens };
}

describe('the end of an answer', () => {
  it.each<[string, Partial<AskAnswer>, readonly string[], string | null]>([
    ['complete', { ending: { type: 'complete' }, usage: [used(65_000)] }, [], null],
    [
      'cut at the output limit (CUT-01)',
      { ending: { type: 'output-limit' } },
      [cut, advice],
      'The answer is cut here: Gemini reached the limit of what it writes at once.',
    ],
    [
      'ended for a reason of tomorrow',
      { ending: { type: 'unknown', reason: 'TOMORROW\n]' } },
      ['[WARNING: The answer may be cut: Gemini ended it for a reason unknown here, TOMORROW\\u{a}]]'],
      'The answer may be cut here.',
    ],
    ['not told, and short', { usage: [used(32_767)] }, [], null],
    [
      'not told, and near the limit by its tokens (CUT-05)',
      { usage: [used(32_000), used(768)] },
      [maybeCut, advice],
      'The answer may be cut here.',
    ],
    [
      'not told, and near the limit by its length (CUT-05)',
      { text: 'x'.repeat(131_072) },
      [maybeCut, advice],
      'The answer may be cut here.',
    ],
  ])('%s', (_, fields, warning, note) => {
    const answer = { ...answered, ...fields };
    expect(endingWarning(answer)).toEqual(warning);
    expect(endingNote(answer)).toBe(note);
  });

  it('is in the account, after the words on a fallback', () => {
    const answer: AskAnswer = {
      ...answered,
      attempts: [
        { model: 'best', durationMs: 1, failure: { kind: 'overloaded', excerpt: '' } },
        { model: 'pro', durationMs: 1, failure: null },
      ],
      ending: { type: 'output-limit' },
    };
    const warnings = ['[WARNING: Fell back to pro]', '  - best: the model is overloaded', cut, advice];
    expect(formatAccount(answer)).toBe(warnings.join('\n'));
  });
});
