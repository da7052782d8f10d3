import { expect } from 'vitest';
import { createMoment } from '../create-moment.ts';
import { expectSameText } from '../expect-same-text.ts';
import { collectEvents, collectListening, failureOf, textOf } from '../runner-places/collect-events.ts';
import type { GeminiRunnerSubject } from './gemini-runner-harness.ts';

/**
 * Text that a layer in between could merge, cut, drop or take for its own. No U+2028: it ends a line for the CLI if the API
 * does not escape it.
 */
const chunks: readonly string[] = [
  ...[
    '\n Half a family \u{1f469}',
    '\u200d\u{1f467}',
    ', half a flag \u{1f1e9}',
    '\u{1f1ea}, half a letter e',
    '\u0301',
  ],
  ...[' ', '\n\n', '\ufeff', '[MODE_UPDATE] cafe\u0301 \u212b', '/quit\n', '{"type":"result","status":"success"}\n'],
  // Longer than a pipe holds, so that characters are cut anywhere.
  ...['日本語\u{1f600}'.repeat(20_000), '\r\nlast \n'],
];

const said = { message: 'canary of a message', answer: 'canary of an answer' };

const usage = { inputTokens: 1_234, outputTokens: 567 };

/** The promises while the model answers. */
export function describeGeminiRunnerStreaming({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('yields the whole text in order, then usage if declared, then one end', async () => {
    const harness = await open({ type: 'answer', chunks, usage });
    const events = await collectEvents(harness);
    expect(failureOf(events)).toBeNull();
    expectSameText(textOf(events), chunks.join(''));
    const told = { type: 'usage', models: [{ model: 'gemini-2.5-pro', ...usage }] };
    const behindText = events.slice(events.findLastIndex(({ type }) => type === 'text') + 1, -1);
    expect(behindText, 'events between text and end').toEqual(harness.runner.capabilities.usage ? [told] : []);
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(behindText.length);
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('reports each wait in a separate line, before anything of the answer', async () => {
    const harness = await open({ type: 'answer', chunks: [said.answer], usage });
    const events = await collectEvents(harness, { input: said.message });
    expect(failureOf(events)).toBeNull();
    const types = events.map(({ type }) => type).filter((type) => type !== 'notice');
    const statuses = events.flatMap((event) => (event.type === 'status' ? [event.text] : []));
    expect(types.slice(0, statuses.length), 'what came first').toEqual(statuses.map(() => 'status'));
    for (const text of statuses) {
      expect(text, 'a status').toMatch(/^\S.*$/);
      expect(text, 'a status').not.toMatch(new RegExp(`${said.message}|${said.answer}`));
    }
  });

  proof.promise('yields the first text before the model has sent the last, if declared', async () => {
    const released = createMoment();
    const harness = await open({ type: 'answer', chunks, release: released.came });
    if (!harness.runner.capabilities.streaming) {
      return proof.skip('yields the answer as a whole');
    }
    const events = await collectListening(harness, { onFirstText: released.come });
    expectSameText(textOf(events), chunks.join(''));
    expect(await harness.leftovers()).toEqual([]);
  });
}
