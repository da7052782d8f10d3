import type { RunEvent } from '@gemini-mcp/core';
import { describe, expect, it } from 'vitest';
import { classifyOutcome } from '../../reading/classify-outcome.ts';
import type { AcpProcessEnd } from '../process/acp-process.ts';
import type { AcpUpdate } from '../protocol/acp-messages.ts';
import { PromptRecorder } from './prompt-recorder.ts';

const secret = 'AIza-a-key';

function startRecorder() {
  const events: RunEvent[] = [];
  let overLimits = 0;
  const recorder = new PromptRecorder({
    hasModelTools: false,
    redact: (text) => text.replaceAll(secret, '[redacted]'),
    onEvents: (more) => events.push(...more),
    onOverLimit: () => {
      overLimits += 1;
    },
  });
  const read = (...updates: readonly AcpUpdate[]): void => {
    for (const update of updates) {
      recorder.read(update);
    }
  };
  return { recorder, events, read, overLimits: () => overLimits };
}

function say(text: string): AcpUpdate {
  return { kind: 'agent-message', text };
}

function call(toolCallId: string): AcpUpdate {
  return { kind: 'tool-call', toolCallId, status: 'in_progress', text: '' };
}

function update(toolCallId: string, status: string, text = ''): AcpUpdate {
  return { kind: 'tool-call-update', toolCallId, status, text };
}

function tool(name: string, phase: 'started' | 'succeeded' | 'failed') {
  return { type: 'tool' as const, name, phase };
}

const answer = { ok: true, result: { stopReason: 'end_turn' } } as const;

const crash: AcpProcessEnd = {
  spawnError: null,
  exitCode: null,
  signal: 'SIGABRT',
  fault: null,
  wasAsked: false,
  hung: false,
  stderr: '',
};

function endOf(recorder: PromptRecorder, processEnd: AcpProcessEnd | null = null) {
  const reply = processEnd === null ? answer : ({ ok: false, closed: true } as const);
  return recorder.end({ reply, termination: 'exited', processEnd }).outcome;
}

describe('text', () => {
  it('is reported as it comes, and only visible text is an answer', () => {
    const { recorder, events, read } = startRecorder();
    read(say(''), say(' \n'));
    expect(endOf(recorder)).toMatchObject({ answered: false, completion: 'success', sawEvents: true });
    read(say('a'), say('b'));
    expect(events).toEqual([' \n', 'a', 'b'].map((text) => ({ type: 'text', text })));
    expect(endOf(recorder).answered).toBe(true);
  });

  it('is neither a thought, nor an earlier turn, nor an unknown event', () => {
    const { recorder, events, read } = startRecorder();
    read({ kind: 'user-message', text: 'x' }, { kind: 'other' });
    expect(events).toEqual([]);
    expect(recorder.sawEvents).toBe(false);
  });

  it('CLI-11: is an answer up to a limit, and nothing is reported beyond it', () => {
    const { events, read, overLimits } = startRecorder();
    const chunk = 'x'.repeat(4_194_304);
    read(...Array.from({ length: 20 }, () => say(chunk)));
    expect(events).toHaveLength(9);
    expect(overLimits()).toBe(1);
  });
});

describe('a tool', () => {
  it('has the name that its id begins with', () => {
    const { recorder, events, read } = startRecorder();
    read(call('read_file__1_2'), update('read_file__1_2', 'in_progress'), update('read_file__1_2', 'completed', 'x'));
    expect(events).toEqual([tool('read_file', 'started'), tool('read_file', 'succeeded')]);
    expect(recorder.tools).toBe(1);
  });

  it.each([
    ['without the end of a name', 'odd', 'odd'],
    ['without a name', '__1', ''],
    ['empty', '', ''],
    ['long', `${'n'.repeat(5_000)}__1`, 'n'.repeat(100)],
  ])('may have an id that is %s', (_, id, name) => {
    const { events, read } = startRecorder();
    read(call(id), update(id, 'completed'));
    expect(events).toEqual([tool(name, 'started'), tool(name, 'succeeded')]);
  });

  it('has started before it has failed, even if it never began', () => {
    const { events, read } = startRecorder();
    read(update('glob__1', 'failed', 'no such directory'));
    expect(events).toEqual([tool('glob', 'started'), { ...tool('glob', 'failed'), detail: 'no such directory' }]);
  });

  it('has as many starts as ends where several run at once', () => {
    const { events, read } = startRecorder();
    read(call('a__1'), call('b__2'), update('b__2', 'failed'), update('a__1', 'completed'));
    const expected = [tool('a', 'started'), tool('b', 'started'), tool('b', 'failed'), tool('a', 'succeeded')];
    expect(events).toEqual(expected);
  });

  it('SECRET-05: reports its failure without secrets, and cut', () => {
    const { events, read } = startRecorder();
    read(call('a__1'), update('a__1', 'failed', `${secret} ${'x'.repeat(70_000)}`));
    expect(events.at(-1)).toEqual({ ...tool('a', 'failed'), detail: `[redacted] ${'x'.repeat(489)}` });
  });

  it('that is called without end is ended', () => {
    const { events, read, overLimits } = startRecorder();
    read(...Array.from({ length: 3_000 }, (_, index) => call(`a__${index}`)));
    expect(overLimits()).toBe(1);
    expect(events).toHaveLength(1_001);
  });

  it('whose updates come without end is ended', () => {
    const { events, read, overLimits } = startRecorder();
    read(...Array.from({ length: 5_000 }, (_, index) => update(`a__${index}`, 'failed')));
    expect(overLimits()).toBe(1);
    expect(events.length).toBeLessThan(2_100);
  });
});

describe('the outcome', () => {
  it('SECRET-05: holds the message of the API without secrets, and cut', () => {
    const { recorder } = startRecorder();
    const reply = { ok: false, closed: false, code: 400, message: `${secret}${'x'.repeat(10_000)}` } as const;
    const { outcome, usage } = recorder.end({ reply, termination: 'exited', processEnd: null });
    expect(outcome).toMatchObject({ completion: 'error', httpStatus: 400, exitCode: null, signal: null });
    expect(outcome.messages).toEqual([`[redacted]${'x'.repeat(4_086)}`]);
    expect(usage).toEqual([]);
  });

  it('reports a message over the window, and our abort before it', () => {
    const { recorder } = startRecorder();
    const reply = { ok: true, result: { stopReason: 'max_tokens' } } as const;
    const kinds = (['exited', 'cancelled', 'timed-out'] as const).map(
      (termination) => classifyOutcome(recorder.end({ reply, termination, processEnd: null }).outcome)?.kind,
    );
    expect(kinds).toEqual(['context-too-large', 'cancelled', 'timeout']);
  });

  it('CLI-06: reports how an ended process ended, and why, and only that its output was full', () => {
    const { recorder } = startRecorder();
    const stderr = 'of another call\nFATAL ERROR: Reached heap limit\n    at x FATAL ERROR: y\n';
    const outcome = endOf(recorder, { ...crash, fault: 'does not answer any more', stderr });
    expect(outcome).toMatchObject({ signal: 'SIGABRT', completion: 'missing', sawEvents: false, strayOutput: '' });
    expect(outcome.stderr).toBe('FATAL ERROR: Reached heap limit');
    expect(outcome.messages).toEqual(['The Gemini CLI does not answer any more, and was ended.']);
  });
});
