// The check of words goes red when stilted words become more, and only then.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findStiltedWords } from './stilted-words.mjs';

const script = fileURLToPath(new URL('check-words.mjs', import.meta.url));

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-words-'));
  mkdirSync(join(directory, 'scripts'));
  write('scripts/stilted-words.json', '{"a.md": 1, "gone.md": 1}\n');
  write('a.md', 'Plain.\n\nNobody knows.\n');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function write(name, text) {
  writeFileSync(join(directory, name), text);
}

function check(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, `--directory=${directory}`, ...args], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe('the check of words', () => {
  it('goes red when the words become more, and names file, line and a plain word', () => {
    write('b.ts', "const a = 1;\n// The default stands here.\nconst b = 'begun anew';\n");

    const { status, output } = check();

    expect(status).toBe(1);
    expect(output).toContain('3 stilted words, 1 more than the 2 of');
    expect(output).toContain('b.ts:2: "stands" (is): // The default stands here.');
    expect(output).toContain('b.ts:3: "anew" (again): \'begun anew\'');
    expect(output).not.toContain('a.md:');
  });

  it('is green and asks for lower figures when they become fewer', () => {
    expect(check()).toEqual({
      status: 0,
      output: '1 stilted words, 1 fewer than before: run `npm run words -- --update` and commit the figures.\n',
    });
  });

  it('lowers the figures, and never raises them', () => {
    expect(check('--update').status).toBe(0);
    expect(check()).toEqual({ status: 0, output: '1 stilted words, as before.\n' });

    write('b.md', 'Whoever reads this.\n');

    expect(check('--update').status).toBe(1);
    expect(JSON.parse(readFileSync(join(directory, 'scripts/stilted-words.json'), 'utf8'))).toEqual({ 'a.md': 1 });
  });

  it('lets words move from file to file', () => {
    write('a.md', 'Plain.\n');
    write('b.md', 'Nobody knows, whoever asks.\n');
    expect(check().status).toBe(0);
  });
});

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
