import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextBundle } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPathCompleter } from '../files/complete-path.ts';
import { FileContextResolver } from '../files/file-context-resolver.ts';
import { pinPaths } from './pin-paths.ts';

const clock = new FakeClock();
const noAbort = new AbortController().signal;
let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pinned-')));
  for (const directory of ['project/docs', 'out']) {
    mkdirSync(at(directory), { recursive: true });
  }
  writeFileSync(at('project/docs/a.txt'), 'inside');
  writeFileSync(at('out/a.txt'), 'CANARY');
});

afterEach(() => rmSync(base, { recursive: true }));

function at(...names: readonly string[]): string {
  return join(base, ...names);
}

function create(root: string, ...roots: readonly string[]) {
  const directories = { workingDirectory: root, roots, pinned: pinPaths([root, ...roots]) };
  const resolver = new FileContextResolver({ ...directories, allowSensitive: false, clock });
  return {
    complete: createPathCompleter({ ...directories, clock }),
    read: (name: string): Promise<ContextBundle> =>
      resolver.resolve(
        {
          files: [name],
          directories: [join(name, '..')],
          globPatterns: [],
          maxFiles: 10,
          maxBytes: 1_000,
          deadlineAtMs: Number.MAX_SAFE_INTEGER,
        },
        noAbort,
      ),
  };
}

function textsOf({ documents }: ContextBundle): readonly string[] {
  return documents.map(({ text }) => text);
}

describe('a root, pinned by its real path when the server started', () => {
  it('SWAP-03: stops being a root once a link is in its place', async () => {
    const { read, complete } = create(at('project/docs'));
    renameSync(at('project/docs'), at('project/aside'));
    symlinkSync('../out', at('project/docs'));
    const bundle = await read('a.txt');
    expect(bundle.documents).toEqual([]);
    expect(bundle.leftOut.map(({ reason }) => reason)).toEqual(['outside-roots', 'outside-roots']);
    expect(await complete('', noAbort)).toEqual([]);
    expect(await complete(at('project/docs/'), noAbort)).toEqual([]);
  });

  it('SWAP-03: stops being a root once a link is in the place of a directory above it', async () => {
    const { read } = create(at('project/docs'));
    mkdirSync(at('out/docs'));
    writeFileSync(at('out/docs/a.txt'), 'CANARY');
    renameSync(at('project'), at('aside'));
    symlinkSync('out', at('project'));
    expect(textsOf(await read('a.txt'))).toEqual([]);
  });

  it('SWAP-03: covers a directory created later at a missing path, but not a link', async () => {
    const { read } = create(at('project'), at('later/one'), at('later/other'));
    mkdirSync(at('later/one'), { recursive: true });
    writeFileSync(at('later/one/a.txt'), 'made later');
    symlinkSync('../out', at('later/other'));
    expect(textsOf(await read(at('later/one/a.txt')))).toEqual(['made later']);
    expect(textsOf(await read(at('later/other/a.txt')))).toEqual([]);
  });

  it('SWAP-03: stays at the former target of a link, by each of its names', async () => {
    symlinkSync('project/docs', at('alias'));
    const { read, complete } = create(at('project'), at('alias'));
    unlinkSync(at('alias'));
    symlinkSync('out', at('alias'));
    expect(textsOf(await read(at('alias/a.txt')))).toEqual(['inside']);
    expect(textsOf(await read('docs/a.txt'))).toEqual(['inside']);
    expect(await complete(at('alias/'), noAbort)).toEqual([at('alias/a.txt')]);
  });

  it('stays a root after it was deleted and created again', async () => {
    const { read } = create(at('project/docs'));
    rmSync(at('project/docs'), { recursive: true });
    expect(textsOf(await read('a.txt'))).toEqual([]);
    mkdirSync(at('project/docs'));
    writeFileSync(at('project/docs/a.txt'), 'cloned again');
    expect(textsOf(await read('a.txt'))).toEqual(['cloned again']);
  });
});
