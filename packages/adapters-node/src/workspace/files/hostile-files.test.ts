import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codesOn, FilesPlace, modifyOne } from '../testing/files-place.ts';

const never = new AbortController().signal;
const canary = 'CANARY-OUT';

let place: FilesPlace;

beforeEach(() => {
  place = new FilesPlace();
  place.put('OUT/secret.txt', canary);
  place.put('ROOT/in.txt', 'inside');
});

afterEach(() => {
  expect(readFileSync(join(place.base, 'OUT/secret.txt'), 'utf8')).toBe(canary);
  place.remove();
});

function all(code: string): readonly string[] {
  return Array.from({ length: 7 }, () => code);
}

function text(path: string): string {
  return readFileSync(join(place.base, path), 'utf8');
}

describe('paths that lead out', () => {
  it.each([
    ['PATH-01', '../OUT/secret.txt'],
    ['PATH-06', 'a/../../OUT/secret.txt'],
    ['PATH-06', './x/././../../OUT/secret.txt'],
    ['PATH-06', '//OUT//secret.txt'],
    ['PATH-03', '../ROOT-evil/secret.txt'],
    ['TOOLS', '../OUT/new.txt'],
    ['TOOLS', '../OUT/new/dir/f'],
  ])('%s: %s is neither read nor written', async (_, path) => {
    place.put('ROOT-evil/secret.txt', canary);
    expect(await codesOn(place.files(), path)).toEqual(all('outside-roots'));
    expect(readdirSync(join(place.base, 'OUT'))).toEqual(['secret.txt']);
    expect(text('ROOT-evil/secret.txt')).toBe(canary);
  });

  it('PATH-04: no step follows links to a file and to a directory outside', async () => {
    symlinkSync(join(place.base, 'OUT/secret.txt'), join(place.root, 'link.txt'));
    symlinkSync('../OUT', join(place.root, 'dir'));
    symlinkSync('../OUT/new.txt', join(place.root, 'dangling'));
    expect(await codesOn(place.files(), 'link.txt')).toEqual(all('outside-roots'));
    expect(await codesOn(place.files(), 'dir/secret.txt')).toEqual(all('outside-roots'));
    expect(await codesOn(place.files(), 'dir/new/f')).not.toContain('done');
    expect(await codesOn(place.files(), 'dangling')).not.toContain('done');
    expect(readdirSync(join(place.base, 'OUT'))).toEqual(['secret.txt']);
  });

  it('PATH-09: nothing in /proc is read or written, directly or through a link, even if a root holds it', async () => {
    symlinkSync('/proc/self/environ', join(place.root, 'env'));
    symlinkSync('/proc/self', join(place.root, 'self'));
    for (const path of ['/proc/self/environ', 'env', 'self/environ', '/proc/self/mem', '/dev/shm/new']) {
      expect(await codesOn(place.files(), path)).not.toContain('done');
      expect(await codesOn(place.files('edit', { roots: ['/'] }), path)).not.toContain('done');
    }
    expect(existsSync('/dev/shm/new')).toBe(false);
  });

  it('TOOLS: private directories are out of reach, whether they exist or not', async () => {
    place.put('ROOT/state/journal', canary);
    const privateDirectories = [join(place.root, 'state'), join(place.root, 'later')];
    const files = place.files('edit', { privateDirectories });
    for (const path of ['state/journal', 'state/new', 'later/new', 'later/new/dir']) {
      expect(await codesOn(files, path)).not.toContain('done');
    }
    expect(text('ROOT/state/journal')).toBe(canary);
    expect(existsSync(join(place.root, 'later'))).toBe(false);
    const found = await files.searchFiles(
      { path: '.', text: canary, isPattern: false, ignoresCase: false, filePattern: null },
      never,
    );
    expect(found).toMatchObject({ ok: true, value: { lines: [] } });
  });

  it.each([
    'file:///etc/passwd',
    '~/.ssh/id_rsa',
    '$HOME/x',
    '%2e%2e/OUT/secret.txt',
    '..%2fOUT/secret.txt',
    'x\0../OUT/secret.txt',
  ])('PATH-20: %j means only its characters', async (path) => {
    expect((await codesOn(place.files(), path)).slice(0, 6)).not.toContain('done');
  });

  it('PATH-18: a name of 255 characters works, and longer ones are refused', async () => {
    const files = place.files();
    const put = (path: string): Promise<unknown> => files.putFile({ path, content: 'x' }, never);
    expect(await put('a'.repeat(255))).toMatchObject({ ok: true });
    expect(await put('a'.repeat(256))).toMatchObject({ ok: false, refusal: { code: 'invalid-arguments' } });
    expect(await put('p/'.repeat(2_200))).toMatchObject({ ok: false });
    expect(existsSync(join(place.root, 'p'))).toBe(false);
  });
});

describe('other kinds of files', () => {
  it.skipIf(process.platform === 'win32')('PATH-10: pipes and devices are refused, and not woken', async () => {
    execFileSync('mkfifo', [join(place.root, 'fifo')]);
    symlinkSync('/dev/zero', join(place.root, 'zero'));
    for (const path of ['fifo', 'zero']) {
      expect(await codesOn(place.files(), path)).not.toContain('done');
    }
    expect(lstatSync(join(place.root, 'fifo')).isFIFO()).toBe(true);
    const search = { path: '.', text: 'inside', isPattern: false, ignoresCase: false, filePattern: null };
    expect(await place.files().searchFiles(search, never)).toMatchObject({
      ok: true,
      value: { lines: [{ path: 'in.txt' }] },
    });
    expect(await place.files().listFiles({ path: '.', pattern: null }, never)).toMatchObject({
      value: { files: [{ kind: 'other' }, { kind: 'file' }, { kind: 'link' }] },
    });
  });

  it('PATH-12: a sparse file of 100 GB is refused by its size, and skipped by a search', async () => {
    place.put('ROOT/sparse', '');
    truncateSync(join(place.root, 'sparse'), 100 * 2 ** 30);
    expect(await place.files().viewFile({ path: 'sparse' }, never)).toMatchObject({ refusal: { code: 'too-large' } });
    expect(await modifyOne(place.files(), 'sparse', 'a', 'b')).toMatchObject({ refusal: { code: 'too-large' } });
    const search = { path: '.', text: 'inside', isPattern: false, ignoresCase: false, filePattern: null };
    expect(await place.files().searchFiles(search, never)).toMatchObject({ value: { files: 1, passedOver: 1 } });
  });

  it.skipIf(process.getuid?.() === 0)(
    'PATH-14: a file that this user may not read or write is refused, and unchanged',
    async () => {
      place.put('ROOT/shut.txt', 'C');
      place.put('ROOT/dir/a', 'C');
      chmodSync(join(place.root, 'shut.txt'), 0o000);
      chmodSync(join(place.root, 'dir'), 0o500);
      expect(new Set(await codesOn(place.files(), 'shut.txt'))).toEqual(new Set(['failed', 'invalid-arguments']));
      expect(await place.files().putFile({ path: 'dir/b', content: '' }, never)).toMatchObject({
        refusal: { code: 'failed' },
      });
      expect(readdirSync(join(place.root, 'dir'))).toEqual(['a']);
      chmodSync(join(place.root, 'dir'), 0o700);
    },
  );

  it.skipIf(process.getuid?.() === 0)('a read-only file is not replaced', async () => {
    place.put('ROOT/shut.txt', 'C');
    chmodSync(join(place.root, 'shut.txt'), 0o444);
    expect(await modifyOne(place.files(), 'shut.txt', 'C', 'D')).toMatchObject({ refusal: { code: 'failed' } });
    expect(text('ROOT/shut.txt')).toBe('C');
  });
});

describe('links that lead inside, and names of other files', () => {
  it('TOOLS: a hard link to a file outside keeps its content there when the file is changed here', async () => {
    linkSync(join(place.base, 'OUT/secret.txt'), join(place.root, 'hard.txt'));
    expect(await modifyOne(place.files(), 'hard.txt', canary, 'ours')).toMatchObject({ ok: true });
    expect(text('ROOT/hard.txt')).toBe('ours');
  });

  it('TOOLS: a change through a link is made at its target, even in a directory that is a link', async () => {
    place.put('ROOT/real/a.txt', 'one');
    symlinkSync('real', join(place.root, 'dir'));
    symlinkSync('../in.txt', join(place.root, 'real/link.txt'));
    expect(await place.files().putFile({ path: 'dir/new/b.txt', content: 'b' }, never)).toMatchObject({
      value: { path: 'real/new/b.txt' },
    });
    expect(await modifyOne(place.files(), 'dir/link.txt', 'inside', 'changed')).toMatchObject({
      value: { path: 'in.txt' },
    });
    expect([text('ROOT/real/new/b.txt'), text('ROOT/in.txt')]).toEqual(['b', 'changed']);
    expect(lstatSync(join(place.root, 'real/link.txt')).isSymbolicLink()).toBe(true);
  });

  it('TOOLS: a link to a protected place is judged by that place, even before the file exists', async () => {
    mkdirSync(join(place.root, '.git/hooks'), { recursive: true });
    symlinkSync('.git/hooks', join(place.root, 'src'));
    expect(await place.files().putFile({ path: 'src/pre-commit', content: '' }, never)).toMatchObject({
      refusal: { code: 'protected' },
    });
    expect(readdirSync(join(place.root, '.git/hooks'))).toEqual([]);
  });

  it('TOOLS: a working directory below a protected one does not make its files free', async () => {
    mkdirSync(join(place.root, '.git/hooks'), { recursive: true });
    const files = place.files('edit', { workingDirectory: join(place.root, '.git/hooks') });
    expect(await files.putFile({ path: 'pre-commit', content: '' }, never)).toMatchObject({
      refusal: { code: 'protected' },
    });
    expect(readdirSync(join(place.root, '.git/hooks'))).toEqual([]);
  });

  it('PATH-16, PATH-17: names with line ends, escapes and direction marks are found, and shown escaped', async () => {
    for (const name of ['new\nline.txt', 'esc\u001b[2J.txt', '\u202etxt.exe', 'cafe\u0301', 'caf\u00e9']) {
      place.put(`ROOT/${name}`, name);
      expect(await place.files().viewFile({ path: name }, never)).toMatchObject({ value: { text: name, path: name } });
      const missing = await place.files().viewFile({ path: `${name}.none` }, never);
      expect(missing).toMatchObject({
        refusal: { message: expect.stringMatching(/^(?:[ -~\u00e9]|\u0301)+ does not exist\.$/) },
      });
    }
  });

  it('TOOLS: unpaired surrogates create no file', async () => {
    expect(await place.files().putFile({ path: 'a\ud800', content: '' }, never)).toMatchObject({ ok: false });
    expect(readdirSync(place.root)).toEqual(['in.txt']);
  });
});

describe.runIf(process.getuid?.() === 0)("a server running as root in a user's directory", () => {
  it('gives the user the files that it creates there, and takes nothing away', async () => {
    chownSync(place.root, 65_534, 65_534);
    chownSync(join(place.root, 'in.txt'), 65_534, 65_533);
    await place.files().putFile({ path: 'new/dir/a.txt', content: 'a' }, never);
    await modifyOne(place.files(), 'in.txt', 'inside', 'ours');
    const owners = ['new', 'new/dir', 'new/dir/a.txt', 'in.txt'].map((path) => {
      const { uid, gid } = lstatSync(join(place.root, path));
      return [uid, gid];
    });
    expect(owners).toEqual([
      [65_534, 65_534],
      [65_534, 65_534],
      [65_534, 65_534],
      [65_534, 65_533],
    ]);
  });
});

describe('changes that fail', () => {
  it('a change that the journal does not keep is not made, and leaves nothing', async () => {
    const journal = { record: (): Promise<void> => Promise.reject(new Error('there is no room')) };
    const files = place.files('edit', { journal });
    expect(await modifyOne(files, 'in.txt', 'inside', 'ours')).toMatchObject({ refusal: { code: 'failed' } });
    expect(await files.putFile({ path: 'new/dir/a', content: '' }, never)).toMatchObject({
      refusal: { code: 'failed' },
    });
    expect([readdirSync(place.root), text('ROOT/in.txt')]).toEqual([['in.txt'], 'inside']);
  });

  it('TOOLS: a file that is changed between the look and the change is not overwritten', async () => {
    const journal = { record: async (): Promise<void> => place.put('ROOT/in.txt', 'theirs') };
    const files = place.files('edit', { journal });
    expect(await modifyOne(files, 'in.txt', 'inside', 'ours')).toMatchObject({
      refusal: { code: 'changed-since-read' },
    });
    expect([readdirSync(place.root), text('ROOT/in.txt')]).toEqual([['in.txt'], 'theirs']);
  });

  it('TOOLS: a file that is created meanwhile is not overwritten', async () => {
    const journal = { record: async (): Promise<void> => place.put('ROOT/new.txt', 'theirs') };
    const files = place.files('edit', { journal });
    expect(await files.putFile({ path: 'new.txt', content: 'ours' }, never)).toMatchObject({
      refusal: { code: 'changed-since-read' },
    });
    expect([readdirSync(place.root), text('ROOT/new.txt')]).toEqual([['in.txt', 'new.txt'], 'theirs']);
  });

  it('an abort before the exchange leaves everything unchanged', async () => {
    const controller = new AbortController();
    const journal = { record: async (): Promise<void> => controller.abort() };
    const files = place.files('edit', { journal });
    const request = { path: 'in.txt', replacements: [{ oldText: 'inside', newText: 'ours', all: false }] as const };
    expect(await files.modifyFile(request, controller.signal)).toMatchObject({ refusal: { code: 'cancelled' } });
    expect([readdirSync(place.root), text('ROOT/in.txt')]).toEqual([['in.txt'], 'inside']);
  });

  it('the journal records each change before it is made, with the former state', async () => {
    await place.files().putFile({ path: 'a/b/c.txt', content: 'x' }, never);
    await modifyOne(place.files(), 'in.txt', 'inside', 'ours');
    const at = (path: string): string => join(place.root, path);
    expect(place.entries).toMatchObject([
      { path: at('a'), before: { type: 'absent' }, after: { type: 'directory' } },
      { path: at('a/b'), before: { type: 'absent' }, after: { type: 'directory' } },
      { path: at('a/b/c.txt'), before: { type: 'absent' }, after: { type: 'file' } },
      { path: at('in.txt'), before: { type: 'file', bytes: Buffer.from('inside') }, after: { type: 'file' } },
    ]);
  });

  it('changes of one run are made one at a time, and all of them are kept', async () => {
    place.put('ROOT/list.txt', 'a b c d e f g h');
    const files = place.files();
    const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all(letters.map((letter) => modifyOne(files, 'list.txt', letter, letter.toUpperCase())));
    expect(text('ROOT/list.txt')).toBe('A B C D E F G H');
  });

  it('TOOLS-04: 20 MB are refused, and so is a missing old text of 10 MB', async () => {
    const files = place.files();
    expect(await files.putFile({ path: 'a', content: 'x'.repeat(20_000_000) }, never)).toMatchObject({
      refusal: { code: 'too-large' },
    });
    expect(await modifyOne(files, 'in.txt', 'x'.repeat(10_000_000), 'y')).toMatchObject({
      refusal: { code: 'no-match' },
    });
    expect(readdirSync(place.root)).toEqual(['in.txt']);
  });
});

describe('files that keep changing, and too many of them', () => {
  it('TOOLS: a file that grows while it is read is read whole or refused', async () => {
    place.put('ROOT/log.txt', 'C\n');
    const grow = `const fs = require('node:fs'); console.log('ready'); for (;;) fs.appendFileSync(process.argv[1], 'C\\n');`;
    const child = spawn(process.execPath, ['-e', grow, join(place.root, 'log.txt')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const files = place.files();
    for (let round = 0; round < 50; round += 1) {
      const viewed = await files.viewFile({ path: 'log.txt', firstLine: 1, lastLine: 1 }, never);
      expect(viewed.ok || ['failed', 'too-large'].includes(viewed.refusal.code)).toBe(true);
    }
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await files.viewFile({ path: 'log.txt', firstLine: 1, lastLine: 1 }, never)).toMatchObject({ ok: true });
  });

  it('TOOLS: a directory of very many files is listed and searched within limits', async () => {
    mkdirSync(join(place.root, 'many'));
    const count = Number(process.env['GEMINI_MCP_MANY_FILES'] ?? 5_000);
    for (let index = 0; index < count; index += 1) {
      closeSync(openSync(join(place.root, `many/${index}`), 'w'));
    }
    const listed = await place.files().listFiles({ path: 'many', pattern: null }, never);
    expect(listed).toMatchObject({ ok: true, value: { isCut: true } });
    const search = { path: '.', text: 'inside', isPattern: false, ignoresCase: false, filePattern: null };
    expect(await place.files().searchFiles(search, never)).toMatchObject({ ok: true });
  });
});

describe('hostile searches', () => {
  it.each(['(a+)+$', '(a|a)*b', '(?=(a+)+$)b', '(.*)\\1x', 'a*a*a*a*a*a*b'])(
    'PATTERN-05, PATTERN-06, PATTERN-08: %s ends',
    async (pattern) => {
      place.put('ROOT/a.txt', `${'a'.repeat(50_000)}!\n`);
      const search = { path: '.', text: pattern, isPattern: true, ignoresCase: false, filePattern: null };
      const result = await place.files().searchFiles(search, never);
      expect(result.ok || result.refusal.code === 'timeout').toBe(true);
    },
  );

  it('GLOB: a pattern for files that could take long is refused or ends', async () => {
    place.put(`ROOT/${'a'.repeat(200)}b`, 'x');
    const files = place.files();
    const listed = await files.listFiles({ path: '.', pattern: '*a'.repeat(30) }, never);
    expect(listed).toMatchObject({ ok: true, value: { files: [] } });
    for (const pattern of ['../OUT/*', '/etc/host*', '**/../../OUT/*', '!x', '']) {
      const result = await files.listFiles({ path: '.', pattern }, never);
      expect(JSON.stringify(result)).not.toMatch(/secret|hosts/);
    }
  });
});
