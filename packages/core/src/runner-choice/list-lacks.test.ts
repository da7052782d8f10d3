import { describe, expect, it } from 'vitest';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings, type RunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { messageOnly, ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import { ScriptedToolProvider } from '../testing/scripted-tool-provider.ts';
import { type Lack, listLacks } from './list-lacks.ts';

const { capabilities: everything } = new ScriptedGeminiRunner({ clock: new FakeClock(), script: () => ({}) });
const small: RunnerCapabilities = { ...everything, maxInputCharacters: 10, maxInputBytes: 12, maxMediaBytes: 4 };

function requestWith(fields: Partial<RunRequest>): RunRequest {
  return { model: 'pro', input: 'Hi', deadlineAtMs: 1, ...fields };
}

function withSettings(settings: Partial<RunSettings>): Partial<RunRequest> {
  return { settings: { ...plainRunSettings, ...settings } };
}

function image(bytes: number): Partial<RunRequest> {
  return { media: [{ path: 'a.png', mediaType: 'image/png', bytes: new Uint8Array(bytes) }] };
}

describe('listLacks', () => {
  it.each<[string, Partial<RunRequest>, readonly Lack[]]>([
    ['as many characters as it carries', { input: 'x'.repeat(10) }, []],
    ['more characters', { input: 'x'.repeat(11) }, [{ refusal: { measure: 'characters', actual: 11, limit: 10 } }]],
    [
      'more characters with the conversation so far',
      {
        input: 'x'.repeat(4),
        history: [
          { role: 'user', text: 'four' },
          { role: 'model', text: 'six' },
        ],
      },
      [{ refusal: { measure: 'characters', actual: 11, limit: 10 } }],
    ],
    ['as many bytes as it carries', { input: 'é'.repeat(6) }, []],
    ['more bytes', { input: '€'.repeat(5) }, [{ refusal: { measure: 'bytes', actual: 15, limit: 12 } }]],
    ['as many bytes of media as it carries', image(4), []],
    ['more bytes of media', image(5), [{ refusal: { measure: 'bytes of media', actual: 5, limit: 4 } }]],
    [
      'everything at once',
      { input: 'é'.repeat(11), ...image(5) },
      [
        { refusal: { measure: 'characters', actual: 11, limit: 10 } },
        { refusal: { measure: 'bytes', actual: 22, limit: 12 } },
        { refusal: { measure: 'bytes of media', actual: 5, limit: 4 } },
      ],
    ],
  ])('compares sizes: %s', (_, fields, lacks) => {
    expect(listLacks(requestWith(fields), small)).toEqual(lacks);
  });

  it.each<[Partial<RunRequest>, Lack]>([
    [{ history: [{ role: 'user', text: 'Hi' }] }, { unsupported: 'history' }],
    [withSettings({ systemPrompt: '' }), { unsupported: 'system-prompt' }],
    [withSettings({ tools: 'web-search' }), { unsupported: 'tools' }],
    [withSettings({ sandbox: true }), { unsupported: 'sandbox' }],
    [withSettings({ apiKey: 'k' }), { unsupported: 'api-key' }],
    [{ answerSchema: { type: 'object' } }, { unsupported: 'answer-schema' }],
    [withSettings({ thinking: 'low' }), { unsupported: 'thinking' }],
    [withSettings({ serviceTier: 'flexible' }), { unsupported: 'flexible-tier' }],
    [{ toolProviders: [new ScriptedToolProvider({ tools: [] })] }, { unsupported: 'tool-sources' }],
    [{ urls: ['https://example.org/'] }, { unsupported: 'urls' }],
    [image(0), { unsupported: 'media' }],
    [image(1_000), { unsupported: 'media' }],
  ])('compares features: %j', (fields, lack) => {
    expect(listLacks(requestWith(fields), { ...everything, ...messageOnly })).toEqual([lack]);
    expect(listLacks(requestWith(fields), everything)).toEqual([]);
  });

  it('takes each choice of tools for itself', () => {
    const searching: RunnerCapabilities = { ...everything, tools: ['none', 'web-search'] };
    expect(listLacks(requestWith(withSettings({ tools: 'web-search' })), searching)).toEqual([]);
    expect(listLacks(requestWith(withSettings({ tools: 'everything' })), searching)).toEqual([
      { unsupported: 'tools' },
    ]);
  });

  it('gives a directory to runs with all tools alone', () => {
    const directory = { path: '/srv', isOptional: true };
    for (const tools of ['none', 'web-search'] as const) {
      const lacks = listLacks(requestWith({ ...withSettings({ tools }), directory }), everything);
      expect(lacks).toEqual([{ unsupported: 'directory' }]);
    }
    expect(listLacks(requestWith({ ...withSettings({ tools: 'everything' }), directory }), everything)).toEqual([]);
  });

  it('finds that a runner without a login needs the key of a call', () => {
    const withoutLogin: RunnerCapabilities = { ...everything, needsKeyOfCall: true };
    expect(listLacks(requestWith({}), withoutLogin)).toEqual([{ unsupported: 'login' }]);
    expect(listLacks(requestWith(withSettings({ apiKey: 'k' })), withoutLogin)).toEqual([]);
  });

  it('finds nothing amiss with a plain message', () => {
    expect(listLacks(requestWith({}), { ...everything, ...messageOnly })).toEqual([]);
  });
});
