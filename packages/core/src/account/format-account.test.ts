import { describe, expect, it } from 'vitest';
import type { AskAnswer, Attempt, ContextReport } from '../answers/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { formatAccount } from './format-account.ts';

const overloaded: GeminiFailure = { kind: 'overloaded', excerpt: 'no more' };
const spent: GeminiFailure = { kind: 'quota-exhausted', excerpt: '' };
const answered: AskAnswer = { text: 'Because.', model: 'pro', attempts: [], usage: [], context: null };
const limits = { maxFiles: 1_000, maxBytes: 10_000_000, maxCharacters: 4_179_818, maxMediaBytes: 0 };
const report: ContextReport = { files: 2, media: 0, bytes: 12_345, leftOut: [], limits };

function attempt(model: string, failure: GeminiFailure | null): Attempt {
  return { model, durationMs: 10, failure };
}

function used(model: string, inputTokens = 1_234, outputTokens = 56) {
  return { model, inputTokens, outputTokens };
}

const tokens = 'Tokens: 1,234 input / 56 output';

describe('formatAccount', () => {
  it.each<[string, Partial<AskAnswer>, readonly string[]]>([
    ['nothing if nothing is known', {}, []],
    ['the model and its tokens', { attempts: [attempt('pro', null)], usage: [used('pro')] }, ['Model: pro', tokens]],
    [
      'no warning for a retry that was enough',
      { attempts: [attempt('pro', overloaded), attempt('pro', null)], usage: [used('pro')] },
      ['Model: pro', tokens],
    ],
    [
      'both models of a fallback (CLI-15)',
      {
        model: 'flash',
        attempts: [attempt('pro', overloaded), attempt('pro', spent), attempt('flash', null)],
        usage: [used('flash')],
      },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the daily quota of this model is used up',
        'Model: flash (fallback from pro)',
        tokens,
      ],
    ],
    [
      'the model that answered by another name, even if one that was given up wrote more',
      {
        model: 'flash',
        attempts: [attempt('pro', overloaded), attempt('flash', null)],
        usage: [used('pro', 1_000, 50), used('flash-2', 234, 6)],
      },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the model is overloaded',
        'Model: flash-2 (asked for as flash) (fallback from pro)',
        tokens,
      ],
    ],
    [
      'every model that was given up',
      {
        model: 'lite',
        attempts: [attempt('pro', spent), attempt('flash', overloaded), attempt('lite', null)],
      },
      [
        '[WARNING: Fell back to lite]',
        '  - pro: the daily quota of this model is used up',
        '  - flash: the model is overloaded',
      ],
    ],
    [
      'the real name of a model, and the requested one',
      { usage: [used('pro-002')] },
      ['Model: pro-002 (asked for as pro)', tokens],
    ],
    [
      'that another model answered than was asked for, as the API says (MODEL-01)',
      { model: 'gemini-2.5-pro', modelVersion: 'gemini-3.8-flash', usage: [used('gemini-2.5-pro')] },
      ['Model: gemini-3.8-flash (another model than gemini-2.5-pro, which was asked for)', tokens],
    ],
    [
      'that another model answered, even without token counts (MODEL-01)',
      { model: 'gemini-2.5-pro', modelVersion: 'gemini-3.8-flash' },
      ['Model: gemini-3.8-flash (another model than gemini-2.5-pro, which was asked for)'],
    ],
    [
      'the name that the API gives to the model that was asked for',
      { modelVersion: 'pro-001', usage: [used('pro')] },
      ['Model: pro-001 (asked for as pro)', tokens],
    ],
    [
      'the model that was asked for, though another wrote more',
      { usage: [used('lite', 1_000, 50), used('pro', 234, 6)] },
      ['Model: pro', tokens],
    ],
    [
      'the model that wrote most, if no model has the requested name',
      { usage: [used('lite', 1_000, 6), used('pro-002', 234, 50)] },
      ['Model: pro-002 (asked for as pro)', tokens],
    ],
    [
      "a stranger's name for a model on one line",
      { usage: [used('pro\u001b[2J\n---')] },
      ['Model: pro\\u{1b}[2J\\u{a}--- (asked for as pro)', tokens],
    ],
    [
      'the backend, between the tokens and the context',
      {
        attempts: [attempt('pro', null)],
        usage: [used('pro')],
        handledBy: { runner: 'api', by: 'Gemini API', login: 'API key', reason: 'preferred' },
        context: report,
      },
      ['Model: pro', tokens, 'Via: Gemini API (API key)', 'Context: 2 files, 12,345 bytes sent'],
    ],
    ['the sent files', { context: report }, ['Context: 2 files, 12,345 bytes sent']],
    [
      'a notice of the runner, on its own line',
      { notices: ['Gemini could not look into a\nb.'] },
      ['Note: Gemini could not look into a\\u{a}b.'],
    ],
    ['a small context', { context: { ...report, files: 1, bytes: 1 } }, ['Context: 1 file, 1 byte sent']],
    [
      'the left-out files with the reason',
      {
        context: {
          ...report,
          leftOut: [
            { path: 'a.bin', reason: 'binary', origin: 'directory' },
            { path: 'b\n', reason: 'not-found', origin: 'file' },
          ],
        },
      },
      ['Context: 2 files, 12,345 bytes sent', 'Left out: 2', '  - binary: a.bin', '  - not found: b\\u{a}'],
    ],
    [
      'limits that left something out',
      { context: { ...report, leftOut: [{ path: 'a', reason: 'over-byte-limit', origin: 'glob' }] } },
      [
        'Context: 2 files, 12,345 bytes sent',
        'Left out: 1',
        '  - over the limit of bytes: a',
        'Limits of this call: 1,000 files, 10,000,000 bytes, 4,179,818 characters (as requested or set here, lowered to the sizes that can reach the model)',
      ],
    ],
  ])('shows %s', (_, known, lines) => {
    expect(formatAccount({ ...answered, ...known })).toBe(lines.join('\n'));
  });

  it('shows cached, tool and thought tokens if the runner reports them', () => {
    const usage = [
      { model: 'pro', inputTokens: 1_000, outputTokens: 20, cachedTokens: 800, thoughtTokens: 50 },
      { model: 'flash', inputTokens: 500, outputTokens: 5, toolTokens: 7 },
    ];
    const answer = { text: 'Yes.', model: 'pro', attempts: [], usage, context: null };
    expect(formatAccount(answer)).toBe(
      'Model: pro\nTokens: 1,500 input (800 cached, 7 more of tools) / 25 output (50 more of thoughts)',
    );
  });

  it('shows a further line alone', () => {
    expect(formatAccount(answered, { extraLines: ['Session: id-1'] })).toBe('Session: id-1');
  });

  it('begins with the warnings, ends with further lines, and has nothing of the answer', () => {
    const answer = {
      ...answered,
      model: 'flash',
      attempts: [attempt('pro', overloaded), attempt('flash', null)],
      usage: [used('flash')],
      context: report,
      notices: ['Gemini had no directory.'],
    };
    expect(formatAccount(answer, { extraLines: ['Session: id-1'] }).split('\n')).toEqual([
      '[WARNING: Fell back to flash]',
      '  - pro: the model is overloaded',
      'Model: flash (fallback from pro)',
      tokens,
      'Context: 2 files, 12,345 bytes sent',
      'Note: Gemini had no directory.',
      'Session: id-1',
    ]);
  });
});
