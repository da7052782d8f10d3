import { expect, it } from 'vitest';
import { parseChange } from './parse-change.ts';

it.each([
  ['working', { type: 'working' }],
  ['staged', { type: 'staged' }],
  ['branch', { type: 'branch' }],
  ['HEAD~3', { type: 'commit', revision: 'HEAD~3' }],
  ['feature/x', { type: 'commit', revision: 'feature/x' }],
  ['v1..v2', { type: 'range', from: 'v1', to: 'v2', fromMergeBase: false }],
  ['main...', { type: 'range', from: 'main', to: 'HEAD', fromMergeBase: true }],
  ['..topic', { type: 'range', from: 'HEAD', to: 'topic', fromMergeBase: false }],
  ['--- a\r\n+++ b\r\n', { type: 'patch', text: '--- a\n+++ b\n' }],
])('%j means one change', (text, selection) => {
  expect(parseChange(text)).toEqual({ ok: true, selection });
});

it.each(['--output=x', '-h', 'HEAD:secret', 'a b', 'a..--help', 'a....b', ':/fix', 'x*', `${'a'.repeat(300)}`, ' '])(
  '%j means none',
  (text) => {
    expect(parseChange(text)).toMatchObject({ ok: false, problem: expect.stringContaining('must be working') });
  },
);
