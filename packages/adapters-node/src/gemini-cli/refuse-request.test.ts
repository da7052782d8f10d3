import type { RunEvent, RunnerCapabilities, RunRequest } from '@gemini-mcp/core';
import { plainRunSettings } from '@gemini-mcp/core';
import { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';

import { refuseForCli } from './cli-gemini-runner.ts';

const capabilities: RunnerCapabilities = {
  name: 'test',
  maxInputBytes: 12,
  maxInputCharacters: 8,
  resume: true,
  tools: ['none', 'web-search', 'everything'],
  sandbox: true,
  systemPrompt: true,
  mediaTypes: ['image/png'],
  maxMediaBytes: 3,
  warmStart: false,
  streaming: true,
  usage: true,
  keyOfCall: true,
};

function refuse(request: Partial<RunRequest>): RunEvent | null {
  return refuseForCli({ model: 'm', input: '', deadlineAtMs: 0, ...request }, capabilities);
}

function refused(refusal: object): object {
  return { type: 'failure', failure: { kind: 'context-too-large', refusal } };
}

function media(mediaType: string, size: number) {
  return { path: 'a', mediaType, bytes: new Uint8Array(size) };
}

describe('refuseRequest', () => {
  it.each(['', 'x'.repeat(8), 'é'.repeat(6), '😀'.repeat(3)])('carries %s', (input) => {
    expect(refuse({ input })).toBeNull();
  });

  it.each([
    ['x'.repeat(9), { measure: 'characters', actual: 9, limit: 8 }],
    ['é'.repeat(7), { measure: 'bytes', actual: 14, limit: 12 }],
    ['😀'.repeat(4), { measure: 'bytes', actual: 16, limit: 12 }],
    ['é'.repeat(9), { measure: 'characters', actual: 9, limit: 8 }],
  ])('refuses %s, and says by how much', (input, refusal) => {
    expect(refuse({ input })).toMatchObject(refused(refusal));
  });

  it('counts the history', () => {
    const history = [
      { role: 'user', text: 'abc' },
      { role: 'model', text: 'def' },
    ] as const;
    expect(refuse({ input: 'hi', history })).toBeNull();
    expect(refuse({ input: 'hi!', history })).toMatchObject(refused({ measure: 'characters', actual: 9, limit: 8 }));
  });

  it('counts it as the CLI does, so that a short text of other scripts is larger', () => {
    expect(refuse({ history: [{ role: 'user', text: '日本' }] })).toMatchObject(
      refused({ measure: 'characters', actual: 12, limit: 8 }),
    );
    expect(refuse({ input: '日', history: [{ role: 'user', text: 'abc' }] })).toMatchObject(
      refused({ measure: 'characters', actual: 9, limit: 8 }),
    );
  });

  it('refuses a system prompt of more than a million characters', () => {
    const settings = (length: number) => ({ ...plainRunSettings, systemPrompt: 'x'.repeat(length) });
    expect(refuse({ settings: settings(1_000_000) })).toBeNull();
    expect(refuse({ settings: settings(1_000_001) })).toMatchObject(
      refused({ measure: 'characters', actual: 1_000_001, limit: 1_000_000 }),
    );
  });

  it('carries media up to the limit of their sum, and of the types that it knows', () => {
    expect(refuse({ media: [media('image/png', 1), media('image/png', 2)] })).toBeNull();
    expect(refuse({ media: [media('image/png', 2), media('image/png', 2)] })).toMatchObject(
      refused({ measure: 'bytes of media', actual: 4, limit: 3 }),
    );
    expect(refuse({ media: [media('image/png', 1), media('video/mp4', 1)] })).toMatchObject({
      failure: { kind: 'unsupported', feature: 'media' },
    });
  });

  it.each<[string, Partial<RunRequest>]>([
    ['answer-schema', { answerSchema: {} }],
    ['thinking', { settings: { ...plainRunSettings, thinking: 'low' } }],
    ['flexible-tier', { settings: { ...plainRunSettings, serviceTier: 'flexible' } }],
    ['urls', { urls: ['https://a.example/'] }],
    ['directory', { directory: { path: '/', isOptional: true } }],
  ])('refuses %s, which it does not declare', (feature, request) => {
    expect(refuse(request)).toMatchObject({ type: 'failure', failure: { kind: 'unsupported', feature } });
  });

  const toolProviders = [new ScriptedToolProvider({ tools: [] })];

  it('refuses tools without a tool server', () => {
    expect(refuse({ toolProviders })).toMatchObject({ failure: { kind: 'unsupported', feature: 'tool-sources' } });
    expect(refuse({ toolProviders: [] })).toBeNull();
  });

  it.each([
    [{ tools: 'everything' }, 'tools'],
    [{ sandbox: true }, 'sandbox'],
  ] as const)('offers model tools in no run with %o', (fields, feature) => {
    const toolSession = { ...capabilities, offersTools: true };
    const request = { model: 'm', input: '', deadlineAtMs: 0, toolProviders };
    expect(refuseForCli(request, toolSession)).toBeNull();
    const settings = { ...plainRunSettings, ...fields };
    expect(refuseForCli({ ...request, settings }, toolSession)).toMatchObject({
      failure: { kind: 'unsupported', feature },
    });
  });
});
