import { describe, expect, it } from 'vitest';
import type { AskAnswer, Attempt, ContextReport } from '../ask-gemini/ask-result.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { type FormatAnswerOptions, formatAccount, formatAnswer } from './format-answer.ts';

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

describe('formatAnswer', () => {
  it.each<[string, Partial<AskAnswer>, readonly string[]]>([
    ['nothing but the text, where nothing more is known', {}, ['Because.']],
    [
      'the model and its tokens',
      { attempts: [attempt('pro', null)], usage: [used('pro')] },
      ['Because.', '', '---', 'Model: pro', tokens],
    ],
    [
      'no warning for a retry that was enough',
      { attempts: [attempt('pro', overloaded), attempt('pro', null)], usage: [used('pro')] },
      ['Because.', '', '---', 'Model: pro', tokens],
    ],
    [
      'both models of a fallback, above and below (CLI-15)',
      {
        model: 'flash',
        attempts: [attempt('pro', overloaded), attempt('pro', spent), attempt('flash', null)],
        usage: [used('flash')],
      },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the daily quota of this model is used up',
        '',
        'Because.',
        '',
        '---',
        'Model: flash (fallback from pro)',
        tokens,
      ],
    ],
    [
      'the model that answered by another name, where one that was given up wrote more',
      {
        model: 'flash',
        attempts: [attempt('pro', overloaded), attempt('flash', null)],
        usage: [used('pro', 1_000, 50), used('flash-2', 234, 6)],
      },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the model is overloaded',
        '',
        'Because.',
        '',
        '---',
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
        '',
        'Because.',
      ],
    ],
    [
      'the real name of a model, and the one by which it was asked for',
      { usage: [used('pro-002')] },
      ['Because.', '', '---', 'Model: pro-002 (asked for as pro)', tokens],
    ],
    [
      'that another model answered than was asked for, as the API says (MODEL-01)',
      { model: 'gemini-2.5-pro', modelVersion: 'gemini-3.8-flash', usage: [used('gemini-2.5-pro')] },
      [
        'Because.',
        '',
        '---',
        'Model: gemini-3.8-flash (another model than gemini-2.5-pro, which was asked for)',
        tokens,
      ],
    ],
    [
      'that another model answered, also where no tokens are known (MODEL-01)',
      { model: 'gemini-2.5-pro', modelVersion: 'gemini-3.8-flash' },
      ['Because.', '', '---', 'Model: gemini-3.8-flash (another model than gemini-2.5-pro, which was asked for)'],
    ],
    [
      'the name that the API gives to the model that was asked for',
      { modelVersion: 'pro-001', usage: [used('pro')] },
      ['Because.', '', '---', 'Model: pro-001 (asked for as pro)', tokens],
    ],
    [
      'the model that was asked for, though another wrote more',
      { usage: [used('lite', 1_000, 50), used('pro', 234, 6)] },
      ['Because.', '', '---', 'Model: pro', tokens],
    ],
    [
      'the model that wrote most, where none has the name',
      { usage: [used('lite', 1_000, 6), used('pro-002', 234, 50)] },
      ['Because.', '', '---', 'Model: pro-002 (asked for as pro)', tokens],
    ],
    [
      "a stranger's name for a model on one line",
      { usage: [used('pro\u001b[2J\n---')] },
      ['Because.', '', '---', 'Model: pro\\u{1b}[2J\\u{a}--- (asked for as pro)', tokens],
    ],
    [
      'by which way it came, between the tokens and the context',
      {
        attempts: [attempt('pro', null)],
        usage: [used('pro')],
        carriedBy: { runner: 'api', by: 'Gemini API', login: 'API key', reason: 'preferred' },
        context: report,
      },
      ['Because.', '', '---', 'Model: pro', tokens, 'Way: Gemini API (API key)', 'Context: 2 files, 12,345 bytes sent'],
    ],
    ['what was sent', { context: report }, ['Because.', '', '---', 'Context: 2 files, 12,345 bytes sent']],
    [
      'what the runner had to say, on a line of its own',
      { notices: ['Gemini could not look into a\nb.'] },
      ['Because.', '', '---', 'Note: Gemini could not look into a\\u{a}b.'],
    ],
    [
      'what was sent, where it was little',
      { context: { ...report, files: 1, bytes: 1 } },
      ['Because.', '', '---', 'Context: 1 file, 1 byte sent'],
    ],
    [
      'what was not sent, and why',
      {
        context: {
          ...report,
          leftOut: [
            { path: 'a.bin', reason: 'binary', origin: 'directory' },
            { path: 'b\n', reason: 'not-found', origin: 'file' },
          ],
        },
      },
      [
        'Because.',
        '',
        '---',
        'Context: 2 files, 12,345 bytes sent',
        'Left out: 2',
        '  - binary: a.bin',
        '  - not found: b\\u{a}',
      ],
    ],
    [
      'the limits, where they left something out',
      { context: { ...report, leftOut: [{ path: 'a', reason: 'over-byte-limit', origin: 'glob' }] } },
      [
        'Because.',
        '',
        '---',
        'Context: 2 files, 12,345 bytes sent',
        'Left out: 1',
        '  - over the limit of bytes: a',
        'Limits of this call: 1,000 files, 10,000,000 bytes, 4,179,818 characters (what was asked for or set here, lowered to what can reach the model)',
      ],
    ],
  ])('shows %s', (_, known, lines) => {
    expect(formatAnswer({ ...answered, ...known })).toBe(lines.join('\n'));
  });

  it.each<[string, FormatAnswerOptions, readonly string[]]>([
    [
      'a part of a long answer, with how to read on',
      { shown: { text: 'Beca', note: '[The first 4 of 8 characters.]' } },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the model is overloaded',
        '',
        'Beca',
        '',
        '[The first 4 of 8 characters.]',
        '',
        '---',
        'Model: flash (fallback from pro)',
        tokens,
      ],
    ],
    [
      'further lines in the footer',
      { extraLines: ['Session: id-1'] },
      [
        '[WARNING: Fell back to flash]',
        '  - pro: the model is overloaded',
        '',
        'Because.',
        '',
        '---',
        'Model: flash (fallback from pro)',
        tokens,
        'Session: id-1',
      ],
    ],
  ])('shows %s', (_, options, lines) => {
    const attempts = [attempt('pro', overloaded), attempt('flash', null)];
    const answer = { ...answered, model: 'flash', attempts, usage: [used('flash')] };
    expect(formatAnswer(answer, options)).toBe(lines.join('\n'));
  });

  it('tells of cached input, of tools and of thoughts where the runner did', () => {
    const usage = [
      { model: 'pro', inputTokens: 1_000, outputTokens: 20, cachedTokens: 800, thoughtTokens: 50 },
      { model: 'flash', inputTokens: 500, outputTokens: 5, toolTokens: 7 },
    ];
    const answer = { text: 'Yes.', model: 'pro', attempts: [], usage, context: null };
    expect(formatAnswer(answer)).toBe(
      'Yes.\n\n---\nModel: pro\nTokens: 1,500 input (800 cached, 7 more of tools) / 25 output (50 more of thoughts)',
    );
  });

  it('shows a footer for a further line alone', () => {
    expect(formatAnswer(answered, { extraLines: ['Session: id-1'] })).toBe('Because.\n\n---\nSession: id-1');
  });
});

describe('formatAccount', () => {
  it('says nothing where nothing is known', () => {
    expect(formatAccount(answered)).toBe('');
  });

  it('says everything around the text, and nothing of the text', () => {
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
