import type { RunnerCapabilities } from '@gemini-mcp/core';
import { messageOnly, ScriptedGeminiRunner } from '@gemini-mcp/core/testing';
import { expect, it } from 'vitest';
import type { GeminiRunnerHarness } from '../gemini-runner/gemini-runner-harness.ts';
import { missingHooks } from './missing-hooks.ts';
import { createScriptedHarness } from './scripted-harness.ts';

function harnessWithout(
  hooks: readonly (keyof GeminiRunnerHarness)[],
  capabilities: Partial<RunnerCapabilities> = {},
): GeminiRunnerHarness {
  const harness = createScriptedHarness((parts) => new ScriptedGeminiRunner({ ...parts, capabilities }));
  return { ...harness, ...Object.fromEntries(hooks.map((hook) => [hook, undefined])) };
}

it('a complete harness lacks no hook', () => {
  expect(missingHooks(harnessWithout([]))).toEqual([]);
  expect(missingHooks(harnessWithout(['carried', 'directories'], messageOnly))).toEqual([]);
});

it('a missing hook is named with the capabilities that need it', () => {
  const capabilities = { systemPrompt: false, tools: ['none', 'web-search'] } as const;
  expect(missingHooks(harnessWithout(['carried', 'directories'], capabilities))).toEqual([
    'The runner declares resume, mediaTypes, keyOfCall, tools, urls: add the hook `carried` to its harness, which says what reached the model with each message.',
  ]);
  expect(missingHooks(harnessWithout(['counting']))).toEqual([
    'The runner declares tokenCount: add the hook `counting` to its harness, which returns the requests to count, and arranges how they end.',
  ]);
  expect(missingHooks(harnessWithout(['directories']))).toEqual([
    'The runner declares tools: add the hook `directories` to its harness, which names directories that runs may work in.',
  ]);
});
