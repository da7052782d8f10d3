import type { ConversationTurn, InlineMedia, RunRequest } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { expectSameText } from '../expect-same-text.ts';
import { collectEvents, failureOf } from '../runner-places/collect-events.ts';
import { type GeminiRunnerHarness, type GeminiRunnerSubject, manyRuns } from './gemini-runner-harness.ts';

const bytesPerWideCharacter = 3;

/** The promises up to the declared sizes and above them. */
export function describeGeminiRunnerSizes({ proof, open }: GeminiRunnerSubject): void {
  proof.promise(
    'delivers a message of the largest declared size, in characters and in bytes',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { maxInputCharacters, maxInputBytes } = harness.runner.capabilities;
      const inputs = [ascii(Math.min(maxInputCharacters, maxInputBytes)), wide(harness, maxInputBytes)];
      for (const [index, input] of inputs.entries()) {
        expect(failureOf(await collectEvents(harness, { input }))).toBeNull();
        expectSameText(harness.received()[index], input);
      }
    },
    manyRuns,
  );

  proof.promise(
    'refuses a larger message, naming both figures, before sending anything',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { maxInputCharacters, maxInputBytes } = harness.runner.capabilities;
      await expectRefusal(harness, {
        request: { input: ascii(maxInputCharacters + 1) },
        refusal: { measure: 'characters', actual: maxInputCharacters + 1, limit: maxInputCharacters },
      });
      const input = wide(harness, maxInputBytes + 1);
      if (input.length <= maxInputCharacters && byteLength(input) > maxInputBytes) {
        const refusal = { measure: 'bytes', actual: maxInputBytes + 1, limit: maxInputBytes };
        await expectRefusal(harness, { request: { input }, refusal });
      }
    },
    manyRuns,
  );

  proof.promise(
    'delivers a conversation of the declared size, and refuses a larger one',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { resume, maxInputCharacters } = harness.runner.capabilities;
      if (!resume) {
        return proof.skip('carries no conversation');
      }
      const [input, answer] = ['the message', 'an answer'];
      const question = ascii(maxInputCharacters - input.length - answer.length);
      expect(failureOf(await collectEvents(harness, { input, history: turns(question, answer) }))).toBeNull();
      const [carried] = harness.carried?.() ?? [];
      if (carried !== undefined) {
        expect(carried.history.map(({ role, text }) => `${role}: ${text.length} characters`)).toEqual([
          `user: ${question.length} characters`,
          `model: ${answer.length} characters`,
        ]);
        expectSameText(carried.history[0]?.text, question);
      }
      expect(harness.received()).toEqual([input]);
      await expectRefusal(harness, {
        request: { input, history: turns(`${question}x`, answer) },
        refusal: { measure: 'characters', actual: maxInputCharacters + 1, limit: maxInputCharacters },
      });
    },
    manyRuns,
  );

  proof.promise(
    'accepts media of the declared size in total, and refuses more',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      const { mediaTypes, maxMediaBytes } = harness.runner.capabilities;
      const [mediaType] = mediaTypes;
      if (mediaType === undefined) {
        return proof.skip('carries no media');
      }
      const [most, rest] = [maxMediaBytes - 1_000, 1_000];
      const media = [most, rest].map((size) => medium(mediaType, size));
      expect(failureOf(await collectEvents(harness, { media }))).toBeNull();
      const [carried] = harness.carried?.() ?? [];
      if (carried !== undefined) {
        expect(carried.media.map(({ bytes }) => bytes.length)).toEqual([most, rest]);
      }
      await expectRefusal(harness, {
        request: { media: [...media, medium(mediaType, 1)] },
        refusal: { measure: 'bytes of media', actual: maxMediaBytes + 1, limit: maxMediaBytes },
      });
    },
    manyRuns,
  );
}

type Refused = { readonly request: Partial<RunRequest>; readonly refusal: object };

/** No more messages reach the model. */
async function expectRefusal(harness: GeminiRunnerHarness, { request, refusal }: Refused): Promise<void> {
  const before = harness.received().length;
  expect(failureOf(await collectEvents(harness, request))).toMatchObject({ kind: 'context-too-large', refusal });
  expect(harness.received().length - before, 'messages that reached the model').toBe(0);
}

function ascii(characters: number): string {
  return 'x'.repeat(characters);
}

/** That many bytes in as few characters as possible, or as many as the runner accepts. */
function wide({ runner }: GeminiRunnerHarness, bytes: number): string {
  const { maxInputCharacters } = runner.capabilities;
  const characters = Math.min(Math.floor(bytes / bytesPerWideCharacter), maxInputCharacters);
  const left = bytes - characters * bytesPerWideCharacter;
  return `${'\u65e5'.repeat(characters)}${ascii(Math.min(left, maxInputCharacters - characters))}`;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function turns(question: string, answer: string): readonly ConversationTurn[] {
  return [
    { role: 'user', text: question },
    { role: 'model', text: answer },
  ];
}

function medium(mediaType: string, size: number): InlineMedia {
  return { path: 'a', mediaType, bytes: new Uint8Array(size).fill(1) };
}
