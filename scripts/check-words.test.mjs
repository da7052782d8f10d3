// The check of words goes red at a stilted word, and only then.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findStiltedWords } from './stilted-words.mjs';

const script = fileURLToPath(new URL('check-words.mjs', import.meta.url));

describe('the check of words', () => {
  it('goes red at the first one, and names file, line and a plain word', () => {
    const directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-words-'));
    try {
      expect(check(directory)).toEqual({ status: 0, output: '0 stilted words.\n' });
      writeFileSync(join(directory, 'b.ts'), "const a = 1;\n// The default stands here.\nconst b = 'begun anew';\n");
      const { status, output } = check(directory);
      expect(status).toBe(1);
      expect(output).toContain('b.ts:2: "stands" (is): // The default stands here.');
      expect(output).toContain('b.ts:3: "anew" (again): \'begun anew\'');
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

function check(directory) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, directory], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('what counts as stilted', () => {
  it.each([
    [
      'the words themselves',
      'a.md',
      'Whoever\nnobody anew thereby whereof',
      ['1 whoever', '2 nobody', '2 anew', '2 thereby', '2 whereof'],
    ],
    [
      'in the place of plain ones',
      'a.md',
      'It stands behind the list, beside it.',
      ['1 stands', '1 behind', '1 beside'],
    ],
    ['a clause in the place of a noun', 'a.md', 'what the call has', ['1 what … has']],
    [
      'not what is ordinary English',
      'a.md',
      '`*` stands for all. It runs behind a reverse proxy. Besides, what it has sent.',
      [],
    ],
    ['not code and links of Markdown', 'a.md', '`nobody` [x](nobody.md)\n```sh\nnobody\n```\nanew', ['5 anew']],
    [
      'comments and strings of sources',
      'a.ts',
      "/**\n * anew\n */\nconst nobody = 'nobody'; // anew\n`\nanew`",
      ['2 anew', '4 nobody', '4 anew', '6 anew'],
    ],
  ])('%s', (_, name, text, found) => {
    expect(findStiltedWords(name, text).map(({ line, word }) => `${line} ${word}`)).toEqual(found);
  });
});
