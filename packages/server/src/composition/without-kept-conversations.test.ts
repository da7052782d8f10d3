import { type GeminiRunner, plainRunSettings } from '@gemini-mcp/core';
import { FakeClock, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import { withoutKeptConversations } from './create-server-runners.ts';

const clock = new FakeClock();
const request = { model: 'pro', input: 'Why?', deadlineAtMs: clock.now() + 1_000, mayContinue: true };
const signal = new AbortController().signal;

it('carries a request that may go on as one that does not', async () => {
  const runner = new ScriptedGeminiRunner({ clock, script: () => ({ chunks: ['Because.'] }) });
  for await (const _ of withoutKeptConversations(runner).run(request, signal)) {
    // Read to its end.
  }
  expect(runner.requests).toEqual([{ ...request, mayContinue: false }]);
});

it('says and counts for a request what the runner does', async () => {
  const scripted = new ScriptedGeminiRunner({ clock, script: () => ({}) });
  const ofTools = { ...scripted.capabilities, name: 'tools' };
  const runner: GeminiRunner = {
    capabilities: scripted.capabilities,
    capabilitiesFor: ({ settings }) => (settings?.tools === 'everything' ? ofTools : scripted.capabilities),
    countTokens: async ({ input }) => ({ ok: true, tokens: input.length }),
    run: (each, abort) => scripted.run(each, abort),
  };
  const kept = withoutKeptConversations(runner);
  expect(kept.capabilitiesFor?.({ settings: { ...plainRunSettings, tools: 'everything' } })).toBe(ofTools);
  expect(await kept.countTokens?.(request, signal)).toEqual({ ok: true, tokens: 4 });
});

it('counts no tokens if the runner cannot', () => {
  const scripted = new ScriptedGeminiRunner({ clock, script: () => ({}) });
  const runner: GeminiRunner = { capabilities: scripted.capabilities, run: scripted.run.bind(scripted) };
  expect(withoutKeptConversations(runner).capabilitiesFor?.({})).toBe(runner.capabilities);
  expect(withoutKeptConversations(runner)).not.toHaveProperty('countTokens', expect.anything());
});
