import { expect, it } from 'vitest';
import type { WorkAccount } from '../agent/work-account.ts';
import { workLines } from '../agent/work-lines.ts';
import type { AskAnswer, AskFailure } from '../ask-gemini/ask-result.ts';
import { describeFailure } from '../failure/describe-failure.ts';
import { formatAnswer } from '../footer/format-answer.ts';
import { showText } from './shown-text.ts';

const limits = { maxFiles: 1, maxBytes: 10, maxCharacters: 10, maxMediaBytes: 10 };
const context = {
  files: 2,
  media: 1,
  bytes: 12_345,
  leftOut: [
    { path: 'a.bin', reason: 'binary', origin: 'directory' },
    { path: 'b', reason: 'over-byte-limit', origin: 'file' },
  ],
  limits,
} as const;

const answer: AskAnswer = {
  text: '',
  model: 'flash',
  attempts: [
    { model: 'pro', durationMs: 1, failure: { kind: 'overloaded', excerpt: '' } },
    { model: 'flash', durationMs: 1, failure: null },
  ],
  usage: [{ model: 'flash', inputTokens: 1_234, outputTokens: 56 }],
  context,
  notices: ['Gemini could not look into the working directory.'],
  ending: { type: 'output-limit' },
};

const failed: AskFailure = {
  failure: { kind: 'unknown-session', newest: [] },
  attempts: answer.attempts,
  partialText: 'so far',
  context,
  timeoutMs: 1_000,
};

const work: WorkAccount = {
  runId: 'run1',
  mode: 'full',
  durationMs: 1_000,
  steps: 3,
  tokens: 1_000,
  changes: {
    files: [{ path: 'a.ts', kind: 'modified', diff: '', addedLines: 1, removedLines: 1 }],
    coverage: { commands: false, reason: 'Too many files.' },
    unkept: { count: 3, first: [{ path: 'node_modules', count: 3 }], scripts: [] },
  },
  commands: { first: [{ command: 'npm test', end: { type: 'exited', exitCode: 0 }, durationMs: 9 }], count: 1 },
  calls: { first: [{ server: 'notes', tool: 'search', subject: '{}', summary: '', durationMs: 9 }], count: 1 },
  refusals: {
    first: [{ number: 1, tool: 'put_file', subject: '.git/config', code: 'protected', message: 'No.' }],
    count: 1,
  },
  questions: [{ about: 'npm install', reason: 'No rule speaks of it.', result: 'no', note: '' }],
  overBudget: 'The run has used up the 3 steps of its budget.',
  notes: ['No commands could be run.'],
};

/** Lines of ours that a text of Gemini's could hold without a mark. */
function unmarked(ours: string): readonly string[] {
  const isOfNobody = /^(?:\||-+$|\s*$)/;
  return showText(ours, { keepsControls: false })
    .split('\n')
    .filter((line) => !isOfNobody.test(line));
}

it.each([
  ['an answer', formatAnswer(answer, { extraLines: ['Session: 0b1c2d3e-0000-4000-8000-000000000000'] })],
  [
    'an answer that is shown in part',
    formatAnswer(answer, { shown: { text: '', note: '[Shown: the first 1 of 2 characters.]' } }),
  ],
  ['an answer of a run with tools', formatAnswer(answer, { extraLines: [...workLines(work), 'Diff:'] })],
  ['a failure', describeFailure(failed)],
  ['a failure with words', describeFailure({ ...failed, failure: { kind: 'malformed-output', excerpt: 'x' } })],
  [
    'a failure with words of somebody',
    describeFailure({ ...failed, failure: { kind: 'malformed-output', excerpt: 'x', saidBy: 'y'.repeat(100) } }),
  ],
])('every line that we put around a text is marked where Gemini writes it: %s (FORGED-04)', (_, ours) => {
  expect(unmarked(ours)).toEqual([]);
});
