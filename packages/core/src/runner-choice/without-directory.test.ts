import { describe, expect, it } from 'vitest';
import { plainRunSettings, type RunRequest, type RunSettings } from '../ports/gemini-runner.ts';
import { withoutDirectory } from './without-directory.ts';

const optional: RunSettings = {
  ...plainRunSettings,
  directory: '/project',
  directoryIsOptional: true,
  tools: 'read-only',
  apiKey: 'own',
};

function requestWith(settings: RunSettings): RunRequest {
  return { model: 'pro', input: 'Hi', deadlineAtMs: 1, settings };
}

describe('withoutDirectory', () => {
  it.each<[string, RunSettings, Partial<RunSettings>]>([
    ['the directory and the tools that read it', optional, { directory: null, tools: 'none' }],
    ['the directory alone of a search', { ...optional, tools: 'web-search' }, { directory: null, tools: 'web-search' }],
  ])('leaves out %s', (_, settings, changed) => {
    const request = requestWith(settings);
    expect(withoutDirectory(request)).toEqual({ ...request, settings: { ...settings, ...changed } });
  });

  it.each<[string, RunSettings]>([
    ['names none', plainRunSettings],
    ['needs it', { ...optional, directoryIsOptional: false }],
    ['lets Gemini act in it', { ...optional, tools: 'everything' }],
  ])('is null for a request that %s', (_, settings) => {
    expect(withoutDirectory(requestWith(settings))).toBeNull();
  });

  it('is null for a request without settings', () => {
    expect(withoutDirectory({ model: 'pro', input: 'Hi', deadlineAtMs: 1 })).toBeNull();
  });
});
