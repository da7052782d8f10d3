import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failuresWithWords } from '../failure/testing/failure-samples.ts';
import { describeFailure } from './describe-failure.ts';
import { failureAdvice } from './failure-advice.ts';
import { failureReason } from './failure-reason.ts';

/** Ways to run Gemini, programs around the core, their settings, and arguments of their tools. */
const names =
  /gemini[ -]cli|\bCLI\b|this server|\bnpm\b|docker|podman|\b(?:GEMINI|GOOGLE|HTTPS?|VERTEX)_[A-Z]|`| --\w/i;

const source = new URL('../', import.meta.url);

/** The code of this package without its comments, by file. */
function codeOfPackage(): readonly (readonly [string, string])[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
    .map((file) => [file, readFileSync(new URL(file, source), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')]);
}

describe('the words of this package', () => {
  it.each(failuresWithWords.filter(({ kind }) => !kind.startsWith('cli-')))(
    'name no way to run Gemini, and no program around it: %j',
    (failure) => {
      const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs: 1_000 };
      const texts = (['query', 'chat', 'search'] as const).flatMap((purpose) => [
        failureReason(failure),
        failureAdvice(failure, purpose),
        describeFailure({ ...failed, attempts: [{ model: 'pro', durationMs: 1, failure }] }, { purpose }),
      ]);
      expect(texts.filter((text) => names.test(text))).toEqual([]);
    },
  );

  it('speak of the Gemini CLI only where a kind of failure is about it, wherever they are in the code', () => {
    const speaking = codeOfPackage().flatMap(([file, code]) =>
      (code.match(/^.*(?:gemini[ -]cli|\bthe CLI\b|this server).*$/gim) ?? []).map((line) => `${file}: ${line.trim()}`),
    );
    expect(speaking.sort()).toEqual([
      "account/failure-advice.ts: 'cli-missing': 'Install it with `npm install -g @google/gemini-cli`.',",
      "account/failure-advice.ts: 'cli-outdated': 'Update it with `npm install -g @google/gemini-cli@latest`.',",
      "account/failure-reason.ts: 'cli-missing': 'gemini-cli not found in PATH',",
      "account/failure-reason.ts: 'cli-outdated': 'the installed Gemini CLI is too old',",
    ]);
  });
});
