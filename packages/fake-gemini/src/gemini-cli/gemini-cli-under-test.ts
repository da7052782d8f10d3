import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The script of the real Gemini CLI that tests run: the pinned one, or the one that GEMINI_CLI_UNDER_TEST names, by which a new
 * version is tried before it is pinned.
 */
export const geminiCliUnderTest: string = process.env['GEMINI_CLI_UNDER_TEST'] || pinnedGeminiCli();

function pinnedGeminiCli(): string {
  const manifest = createRequire(import.meta.url).resolve('@google/gemini-cli/package.json');
  return join(dirname(manifest), 'bundle', 'gemini.js');
}
