import { describe, expect, it } from 'vitest';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { Grounding, WebPage } from '../ports/gemini-runner/grounding.ts';
import type { RunEnd, RunEvent } from '../ports/gemini-runner/run-event.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import { runOnce } from './ask-gemini.ts';
import type { AskProgress } from './ask-request.ts';

const clock = new FakeClock();
const runRequest = { model: 'pro', input: '', deadlineAtMs: clock.now() + 1 };
const answered: RunEnd = { type: 'answer', ending: { type: 'complete' }, modelVersion: 'pro-002' };
const { signal } = new AbortController();
const { capabilities } = new ScriptedGeminiRunner({ clock, script: () => ({}) });

function emitting(events: readonly RunEvent[]): GeminiRunner {
  return {
    capabilities,
    async *run() {
      yield* events;
    },
  };
}

const grounding: Grounding = { queries: ['why'], sources: [], supports: [] };
const pages: readonly WebPage[] = [{ url: 'https://example.org/', outcome: 'read' }];

describe('runOnce', () => {
  it('gathers the text, the notices and the usage that came last, and passes on what happens', async () => {
    const progress: AskProgress[] = [];
    const events: readonly RunEvent[] = [
      { type: 'status', text: 'Fetching a program.' },
      { type: 'text', text: 'Be' },
      { type: 'tool', name: 'search', phase: 'started' },
      { type: 'usage', models: [{ model: 'pro', inputTokens: 1, outputTokens: 1 }] },
      { type: 'notice', text: 'Without its files.' },
      { type: 'text', text: 'cause.' },
      { type: 'usage', models: [{ model: 'pro', inputTokens: 2, outputTokens: 3 }] },
      { type: 'grounding', grounding },
      { type: 'pages', pages },
      answered,
    ];
    const onProgress = (event: AskProgress): void => {
      progress.push(event);
    };
    expect(await runOnce({ runner: emitting(events), runRequest, onProgress }, signal)).toEqual({
      text: 'Because.',
      usage: [{ model: 'pro', inputTokens: 2, outputTokens: 3 }],
      notices: ['Without its files.'],
      grounding,
      pages,
      end: answered,
    });
    expect(progress).toEqual(events.filter(({ type }) => ['status', 'text', 'tool'].includes(type)));
  });

  it('rejects when a runner breaks its promise of an end', async () => {
    const run = runOnce({ runner: emitting([]), runRequest, onProgress: () => undefined }, signal);
    await expect(run).rejects.toThrow('The scripted runner ended without an answer or a failure');
  });
});
