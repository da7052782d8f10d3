import { expect, it } from 'vitest';
import { RunningTools } from './running-tools.ts';

const update = (kind: 'tool-call' | 'tool-call-update', toolCallId: string, status: string) =>
  ({ kind, toolCallId, status, text: '' }) as const;

it('PATTERN-07: knows whose tools have begun and not ended', () => {
  const running = new RunningTools();
  running.note('one', { kind: 'agent-message', text: 'x' });
  expect(running.sessionIds).toEqual([]);
  running.note('one', update('tool-call', 'glob__1', 'in_progress'));
  running.note('two', update('tool-call', 'glob__1', 'pending'));
  running.note('two', update('tool-call-update', 'glob__1', 'in_progress'));
  running.note('one', update('tool-call', 'grep__2', 'in_progress'));
  running.note('one', update('tool-call-update', 'glob__1', 'completed'));
  expect(running.sessionIds).toEqual(['one', 'two']);
  running.note('two', update('tool-call-update', 'glob__1', 'failed'));
  expect(running.sessionIds).toEqual(['one']);
  running.note('three', update('tool-call-update', 'glob__9', 'failed'));
  running.forget('one');
  expect(running.sessionIds).toEqual([]);
});
