import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { buildPreload, type InsideFunction, preloadPiece, withPreload } from './preload.ts';

it('loads its file before a script, and leaves another program alone', () => {
  expect(withPreload({ file: process.execPath, arguments: ['/cli/gemini.js'] }, '/runs/1')).toEqual({
    file: process.execPath,
    arguments: [`--require=${join('/runs/1', 'preload.cjs')}`, '/cli/gemini.js'],
  });
  const other = { file: '/usr/bin/gemini', arguments: ['x'] };
  expect(withPreload(other, '/runs/1')).toEqual(other);
});

it('runs each piece with its input, in order, before the script', async () => {
  const root = await mkdtemp(join(tmpdir(), 'preload-'));
  try {
    const say: InsideFunction<{ readonly word: string }> = (requireModule, { word }) => {
      process.stdout.write(`${requireModule('node:path').basename('/a/b')} ${word}\n`);
    };
    const { path, content } = buildPreload([
      preloadPiece(say, { word: 'one </script> \u2028' }),
      preloadPiece(say, { word: 'two' }),
    ]);
    await writeFile(join(root, path), content);
    await writeFile(join(root, 'script.js'), 'process.stdout.write("script\\n")');
    const { file, arguments: words } = withPreload(
      { file: process.execPath, arguments: [join(root, 'script.js')] },
      root,
    );
    const { stdout } = await execa(file, words);
    expect(stdout).toBe('b one </script> \u2028\nb two\nscript');
  } finally {
    await rm(root, { recursive: true });
  }
});
