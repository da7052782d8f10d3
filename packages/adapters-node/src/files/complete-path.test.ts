import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompletePath, createPathCompleter } from './complete-path.ts';

let base: string;
let complete: CompletePath;
const signal = new AbortController().signal;

function write(path: string): void {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), '');
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'complete-')));
  for (const path of [
    'root/src/app.ts',
    'root/src/api/index.ts',
    'root/src/zebra.ts',
    'root/README.md',
    'root/.github/ci.yml',
    'root/.env',
    'root/.env.example',
    'root/id_rsa',
    'root/server.pem',
    'root/.ssh/config',
    'root/.git/config',
    'root/node_modules/x.js',
    'root/plain/new\nline.md',
    'root/plain/turn\u202eed.md',
    'root/secrets-of/.npmrc',
    'further/notes.md',
    'outside/CANARY.md',
  ]) {
    write(path);
  }
  const link = (name: string, target: string): void => symlinkSync(target, join(base, 'root', name));
  link('out-directory', '../outside');
  link('out-file', '../outside/CANARY.md');
  link('in-directory', 'src');
  link('in-file', 'README.md');
  link('to-secret', 'id_rsa');
  link('to-secrets', '.ssh');
  link('broken', 'nowhere');
  link('loop', 'loop');
  complete = createPathCompleter({
    workingDirectory: join(base, 'root'),
    roots: [join(base, 'further')],
    clock: new FakeClock(),
  });
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a path completer', () => {
  it.each([
    ['', ['README.md', 'in-directory/', 'in-file', 'plain/', 'secrets-of/', 'src/']],
    ['s', ['secrets-of/', 'src/']],
    ['src', ['src/']],
    ['src/', ['src/api/', 'src/app.ts', 'src/zebra.ts']],
    ['src/a', ['src/api/', 'src/app.ts']],
    ['./src/z', ['./src/zebra.ts']],
    ['src/../R', ['src/../README.md']],
    ['src/nothing', []],
    ['nowhere/', []],
    ['README.md/', []],
    ['in-directory/z', ['in-directory/zebra.ts']],
    ['.', ['.env.example', '.github/']],
    ['secrets-of/.', []],
    ['plain/', []],
  ])('completes %j to %j', async (prefix, expected) => {
    expect(await complete(prefix, signal)).toEqual(expected);
  });

  it('completes absolute paths below each root', async () => {
    expect(await complete(`${base}/root/src/z`, signal)).toEqual([`${base}/root/src/zebra.ts`]);
    expect(await complete(`${base}/further/`, signal)).toEqual([`${base}/further/notes.md`]);
  });

  it.each([
    ['../'],
    ['../outside/'],
    ['out-directory/'],
    ['src/../../outside/'],
    ['/'],
    ['/etc/'],
    ['/proc/self/'],
    ['~/'],
    ['file:///etc/'],
    ['.ssh/'],
    ['.git/'],
    ['to-secrets/'],
    ['src\0/'],
    [`${'a/'.repeat(3_000)}`],
    ['x'.repeat(1_000_000)],
  ])('suggests nothing for %j', async (prefix) => {
    expect(await complete(prefix, signal)).toEqual([]);
  });

  it('never suggests paths outside, whatever is typed', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'src',
      'out-directory',
      'outside',
      'to-secrets',
      'loop',
      'in-directory',
      'C',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        for (const suggested of await complete(parts.join('/'), signal)) {
          expect(realpathSync(join(base, 'root', suggested))).toMatch(/\/root\/(?!\.ssh|id_rsa)/);
        }
      }),
    );
  });

  it('inspects at most 5,000 names', async () => {
    const many = join(base, 'further', 'many');
    mkdirSync(many);
    for (let index = 0; index < 5_100; index += 1) {
      writeFileSync(join(many, `f${index}`), '');
    }
    expect(await complete(`${many}/f`, signal)).toHaveLength(5_000);
    rmSync(many, { recursive: true });
  });

  it.runIf(existsSync('/proc/self/fd'))('leaves no descriptor open', async () => {
    const openDescriptors = (): number => readdirSync('/proc/self/fd').length;
    const before = openDescriptors();
    for (const prefix of ['', 'src/', 'loop/', 'out-directory/']) {
      await complete(prefix, signal);
    }
    expect(openDescriptors()).toBeLessThanOrEqual(before);
  });

  it('rejects on abort', async () => {
    const reason = new Error('typed on');
    await expect(complete('', AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
