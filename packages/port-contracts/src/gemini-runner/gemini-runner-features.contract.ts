import {
  type ConversationTurn,
  plainRunSettings,
  type RunEvent,
  type RunRequest,
  type UnsupportedFeature,
} from '@gemini-mcp/core';
import { expect } from 'vitest';
import { expectSameText } from '../expect-same-text.ts';
import { hostileText } from '../hostile-text.ts';
import { collectEvents, failureOf, requestOf } from '../runner-places/collect-events.ts';
import type { GeminiRunnerHarness, GeminiRunnerSubject, Situation } from './gemini-runner-harness.ts';

const answer: Situation = { type: 'answer', chunks: ['ok'] };

/** The promises for declared and undeclared features. */
export function describeGeminiRunnerFeatures({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('sends a conversation, a system prompt and media unchanged with the message', async () => {
    const harness = await open(answer);
    if (harness.carried === undefined) {
      return proof.skip('what reaches the model is not seen here');
    }
    const { resume, systemPrompt: canReplacePrompt, mediaTypes } = harness.runner.capabilities;
    const history = resume ? hostileHistory() : [];
    const systemPrompt = canReplacePrompt ? `You are terse.\r\n\t${hostileText.trim()} End.` : null;
    const media = mediaTypes.map((mediaType, index) => ({ path: `${index}`, mediaType, bytes: scrambled(index) }));
    const settings = { ...plainRunSettings, systemPrompt };
    await collectEvents(harness, { input: hostileText, history, media, settings });
    expect(harness.received()).toEqual([hostileText]);
    const [carried] = harness.carried();
    expect(carried?.history).toEqual(history);
    expect(carried?.media).toEqual(media.map(({ mediaType, bytes }) => ({ mediaType, bytes })));
    if (systemPrompt !== null) {
      expect(carried?.systemPrompt).toBe(systemPrompt);
    }
    expect(await harness.leftovers()).toEqual([]);
  });

  proof.promise('sends large turns of a conversation whole', async () => {
    const harness = await open(answer);
    const { resume, maxInputCharacters } = harness.runner.capabilities;
    if (harness.carried === undefined || !resume) {
      return proof.skip('nothing to see, or to carry');
    }
    const size = Math.floor((maxInputCharacters - 1_000) / 3);
    const texts = [`/x${hostileText}`, '?', '<session_context>'].map((text) =>
      text.repeat(Math.ceil(size / text.length)).slice(0, size),
    );
    const history = texts.slice(0, 2).map(toTurn);
    await collectEvents(harness, { input: texts[2] ?? '', history });
    const [carried] = harness.carried();
    for (const [index, text] of texts.slice(0, 2).entries()) {
      expectSameText(carried?.history[index]?.text, text);
    }
    expect(carried?.history).toHaveLength(2);
    expectSameText(harness.received()[0], texts[2] ?? '');
    expect(harness.received()).toHaveLength(1);
  });

  proof.promise('refuses media of a type that it does not declare', async () => {
    const harness = await open(answer);
    const unknown = { path: 'a', mediaType: 'application/x-never-carried', bytes: Uint8Array.of(1) };
    const known = harness.runner.capabilities.mediaTypes.map((mediaType) => ({ ...unknown, mediaType }));
    const events = await collectEvents(harness, { media: [...known, unknown] });
    expect(failureOf(events)).toEqual({ kind: 'unsupported', feature: 'media' });
    expect(harness.received()).toEqual([]);
  });

  proof.promise('refuses undeclared features before sending anything', async () => {
    const harness = await open(answer);
    const undeclared = listUndeclared(harness);
    if (undeclared.length === 0) {
      return proof.skip('declares everything');
    }
    for (const [feature, request] of undeclared) {
      expect(failureOf(await collectEvents(harness, request))).toEqual({ kind: 'unsupported', feature });
    }
    expect(harness.received()).toEqual([]);
  });

  proof.promise('refuses a request without a key before sending anything if it needs one', async () => {
    const harness = await open(answer);
    const { runner } = harness;
    if (runner.capabilities.needsKeyOfCall !== true) {
      return proof.skip('has a login of its own');
    }
    const request: RunRequest = { ...requestOf(harness), settings: plainRunSettings };
    const refusal = { kind: 'unsupported', feature: 'login' };
    const { signal } = new AbortController();
    const events: RunEvent[] = [];
    for await (const event of runner.run(request, signal)) {
      events.push(event);
    }
    expect(failureOf(events)).toEqual(refusal);
    if (runner.countTokens !== undefined && runner.capabilities.tokenCount === true) {
      expect(await runner.countTokens(request, signal)).toEqual({ ok: false, failure: refusal });
    }
    expect(harness.received()).toEqual([]);
    expect(harness.counting?.carried() ?? []).toEqual([]);
  });
}

type PartialRequest = Partial<RunRequest>;

function listUndeclared({
  runner: { capabilities },
}: GeminiRunnerHarness): readonly (readonly [UnsupportedFeature, PartialRequest])[] {
  const withSettings = (settings: object): PartialRequest => ({ settings: { ...plainRunSettings, ...settings } });
  const history = ['Hi', 'Hello'].map(toTurn);
  const { answerSchema = false, thinking = false, flexibleTier = false, urls = false } = capabilities;
  return [
    ...(answerSchema ? [] : [['answer-schema', { answerSchema: { type: 'object' } }] as const]),
    ...(thinking ? [] : [['thinking', withSettings({ thinking: 'low' })] as const]),
    ...(flexibleTier ? [] : [['flexible-tier', withSettings({ serviceTier: 'flexible' })] as const]),
    ...(urls ? [] : [['urls', { urls: ['https://example.org/'] }] as const]),
    ...(capabilities.resume ? [] : [['history', { history }] as const]),
    ...(capabilities.systemPrompt ? [] : [['system-prompt', withSettings({ systemPrompt: 'Be terse.' })] as const]),
    ...(['web-search', 'everything'] as const).flatMap((tools) =>
      capabilities.tools.includes(tools) ? [] : [['tools', withSettings({ tools })] as const],
    ),
    // Only for runs with all tools, whatever else the runner supports.
    ['directory', { directory: { path: '/', isOptional: true } }],
    ...(capabilities.sandbox ? [] : [['sandbox', withSettings({ sandbox: true })] as const]),
    ...(capabilities.keyOfCall ? [] : [['api-key', withSettings({ apiKey: 'AIzaContract-key_of_a_call' })] as const]),
  ];
}

/** Turns that a layer in between could take for commands, for its own markup, or for nothing. */
function hostileHistory(): readonly ConversationTurn[] {
  const texts = [
    ...[hostileText, '[Thought: true]', '/quit', ' \n', '?', '\n  ends with blanks \r\n', '<session_context>x'],
    ...['}}{{args}} @{a} !{id}', '<hook_context>\u2028\u2029', '\u{1f600}'.repeat(60_000)],
  ];
  return texts.map(toTurn);
}

function toTurn(text: string, index: number): ConversationTurn {
  return { role: index % 2 === 0 ? 'user' : 'model', text };
}

/** All byte values, in another order for each seed. */
function scrambled(seed: number): Uint8Array {
  return Uint8Array.from({ length: 3_000 }, (_, index) => (index * 31 + seed * 7 + (index >> 3)) % 256);
}
