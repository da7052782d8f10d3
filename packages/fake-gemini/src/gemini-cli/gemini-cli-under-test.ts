import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The script of the real Gemini CLI for tests: the pinned one, or the one in GEMINI_CLI_UNDER_TEST, to try a new version
 * before pinning it.
 */
export const geminiCliUnderTest: string = process.env['GEMINI_CLI_UNDER_TEST'] || pinnedGeminiCli();

function pinnedGeminiCli(): string {
  const manifest = createRequire(import.meta.url).resolve('@google/gemini-cli/package.json');
  return join(dirname(manifest), 'bundle', 'gemini.js');
}
