import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ContextBundle, ContextSelection } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileContextResolver } from './file-context-resolver.ts';

let base: string;
let root: string;
const canary = 'CANARY-OUT';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')));
  root = join(base, 'ROOT');
  put('ROOT/in.txt', 'inside');
  put('OUT/secret.txt', canary);
});

afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function put(path: string, content: string | Uint8Array = ''): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
}

async function resolve(fields: Partial<ContextSelection>, allowSensitive = false): Promise<ContextBundle> {
  const resolver = new FileContextResolver({
    workingDirectory: root,
    roots: [],
    allowSensitive,
    clock: new FakeClock(),
  });
  const selection = { files: [], globPatterns: [], directories: [], maxFiles: 500, maxBytes: 1_000_000, ...fields };
  const bundle = await resolver.resolve(
    { deadlineAtMs: Number.MAX_SAFE_INTEGER, ...selection },
    new AbortController().signal,
  );
  expect(JSON.stringify(bundle)).not.toContain(canary);
  return bundle;
}

/** The reasons of the entries left out, by path. */
function reasons({ leftOut }: ContextBundle): Readonly<Record<string, string>> {
  return Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));
}

function texts({ documents }: ContextBundle): Readonly<Record<string, string>> {
  return Object.fromEntries(documents.map(({ path, text }) => [path, text]));
}

describe('paths', () => {
  it('PATH-01: a relative path that climbs out is refused', async () => {
    expect(reasons(await resolve({ files: ['../OUT/secret.txt'] }))).toEqual({ '../OUT/secret.txt': 'outside-roots' });
  });

  it('PATH-03: a sibling whose name begins with the name of the root is outside', async () => {
    put('ROOT-evil/secret.txt', canary);
    const name = `${root}-evil/secret.txt`;
    const bundle = await resolve({
      files: [name],
      directories: [`${root}-evil`, '../ROOT-evil'],
      globPatterns: [`${root}-evil/*`],
    });
    expect(bundle.documents).toEqual([]);
    expect(new Set(Object.values(reasons(bundle)))).toEqual(new Set(['outside-roots']));
  });

  it('PATH-04: a link to a file outside is refused, whatever argument names it', async () => {
    symlinkSync(join(base, 'OUT/secret.txt'), join(root, 'link.txt'));
    symlinkSync('../OUT', join(root, 'dir'));
    expect(reasons(await resolve({ files: ['link.txt', 'dir/secret.txt'], directories: ['dir'] }))).toEqual({
      'link.txt': 'outside-roots',
      'dir/secret.txt': 'outside-roots',
      dir: 'outside-roots',
    });
    expect(reasons(await resolve({ globPatterns: ['*.txt', 'dir/*'] }))).toEqual({
      'link.txt': 'outside-roots',
      'dir/*': 'outside-roots',
    });
    expect(reasons(await resolve({ directories: ['.'] }))['link.txt']).toBe('outside-roots');
  });

  it('PATH-06: every spelling of a path outside is refused', async () => {
    const files = [
      'a/../../OUT/secret.txt',
      './x/././../../OUT/secret.txt',
      '//OUT//secret.txt',
      `${base}/OUT//secret.txt`,
    ];
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(bundle.leftOut.map(({ reason }) => reason)).toEqual(files.map(() => 'outside-roots'));
  });

  it('PATH-09: files of /proc are refused directly, through a link, and below a root that holds them', async () => {
    symlinkSync('/proc/self/environ', join(root, 'env'));
    symlinkSync('/proc/self', join(root, 'self'));
    expect(reasons(await resolve({ files: ['/proc/self/environ', 'env', 'self/environ'] }))).toEqual({
      '/proc/self/environ': 'outside-roots',
      env: 'outside-roots',
      'self/environ': 'outside-roots',
    });
    const everywhere = new FileContextResolver({
      workingDirectory: '/',
      roots: ['/proc'],
      allowSensitive: true,
      clock: new FakeClock(),
    });
    const { documents, leftOut } = await everywhere.resolve(
      {
        files: ['/proc/self/environ', '/sys/kernel/mm/transparent_hugepage/enabled', '/dev/null'],
        globPatterns: [],
        directories: ['/proc/self/fd'],
        maxFiles: 10,
        maxBytes: 100_000,
        deadlineAtMs: Number.MAX_SAFE_INTEGER,
      },
      new AbortController().signal,
    );
    expect(documents).toEqual([]);
    expect(leftOut.filter(({ reason }) => reason !== 'outside-roots' && reason !== 'not-found')).toEqual([]);
    expect(leftOut).toHaveLength(4);
  });

  it('PATH-10: devices and pipes are refused without waiting for them', async () => {
    symlinkSync('/dev/zero', join(root, 'zero'));
    expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0);
    expect(reasons(await resolve({ files: ['zero', 'pipe'] }))).toEqual({ zero: 'outside-roots', pipe: 'not-a-file' });
    expect(reasons(await resolve({ directories: ['.'] }))).toEqual({ zero: 'outside-roots', pipe: 'not-a-file' });
  });

  it.runIf(process.getuid?.() === 0)('PATH-10: a device node inside a root is not a file', async ({ skip }) => {
    skip(spawnSync('mknod', [join(root, 'node'), 'c', '1', '5']).status !== 0, 'device nodes cannot be created here');
    const { documents, leftOut } = await resolve({ files: ['node'] });
    expect(documents).toEqual([]);
    // A file system mounted with `nodev` refuses to open it.
    expect(['not-a-file', 'unreadable']).toContain(leftOut[0]?.reason);
  });

  it('PATH-12: a sparse file of 100 GB is refused by its size', async () => {
    put('ROOT/sparse');
    truncateSync(join(root, 'sparse'), 100 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    const bundle = await resolve({ files: ['sparse', 'in.txt'] });
    expect(bundle.leftOut).toEqual([
      { path: 'sparse', reason: 'over-byte-limit', origin: 'file', detail: `${100 * 1024 ** 3} bytes` },
    ]);
    expect(texts(bundle)).toEqual({ 'in.txt': 'inside' });
    expect(process.memoryUsage().rss - before).toBeLessThan(10_000_000);
  });

  it('PATH-14: an unreadable file is reported by name and the others are read', async () => {
    put('ROOT/noread.txt', 'unreadable');
    put('ROOT/closed/x.txt');
    chmodSync(join(root, 'noread.txt'), 0o000);
    chmodSync(join(root, 'closed'), 0o000);
    chmodSync(base, 0o755);
    const bundle = await asOrdinaryUser(() =>
      resolve({ files: ['noread.txt', 'in.txt'], directories: ['closed', '.'] }),
    ).finally(() => chmodSync(join(root, 'closed'), 0o755));
    expect(texts(bundle)).toEqual({ 'in.txt': 'inside' });
    expect(bundle.leftOut).toEqual([
      { path: 'noread.txt', reason: 'unreadable', origin: 'file', detail: 'EACCES' },
      { path: 'closed', reason: 'unreadable', origin: 'directory', detail: 'EACCES' },
      { path: 'closed', reason: 'unreadable', origin: 'directory', detail: 'EACCES' },
    ]);
  });

  it('PATH-16: existing names with control characters are read', async () => {
    const files = ['new\nline.txt', 'tab\t.txt', 'esc\u001b[2J.txt'];
    for (const file of files) {
      put(`ROOT/${file}`, file);
    }
    expect(texts(await resolve({ files }))).toEqual(Object.fromEntries(files.map((file) => [file, file])));
    expect(Object.keys(texts(await resolve({ directories: ['.'] })))).toHaveLength(4);
    expect(reasons(await resolve({ files: ['esc.txt', 'in.txt\0', 'in.txt\n'] }))).toEqual({
      'esc.txt': 'not-found',
      'in.txt\0': 'not-found',
      'in.txt\n': 'not-found',
    });
  });

  it.skipIf(process.platform === 'darwin')('PATH-17: names are looked up by their exact bytes', async () => {
    const files = ['\u202etxt.exe', 'a\u200bb.txt', 'caf\u00e9', 'cafe\u0301'];
    for (const file of files) {
      put(`ROOT/${file}`, file);
    }
    expect(texts(await resolve({ files }))).toEqual(Object.fromEntries(files.map((file) => [file, file])));
    expect(reasons(await resolve({ files: ['ab.txt', 'cafe'] }))).toEqual({ 'ab.txt': 'not-found', cafe: 'not-found' });
  });

  it('PATH-18: names of 255 bytes work, longer ones and longer paths are reported', async () => {
    const longest = 'a'.repeat(255);
    const files = [longest, 'b'.repeat(256), 'p/'.repeat(2_200)];
    put(`ROOT/${longest}`, 'long');
    const bundle = await resolve({ files });
    expect(texts(bundle)).toEqual({ [longest]: 'long' });
    expect(reasons(bundle)).toEqual({ ['b'.repeat(256)]: 'name-too-long', ['p/'.repeat(2_200)]: 'name-too-long' });
  });

  it.each([
    'file:///etc/passwd',
    '~/.ssh/id_rsa',
    '~root/x',
    '$HOME/x',
    '%2e%2e/OUT/secret.txt',
    'C:\\Windows\\win.ini',
    '\\\\?\\C:\\x',
    'CON',
    'x:stream',
    '..\\OUT\\secret.txt',
  ])('PATH-20: %s is a plain name', async (name) => {
    const { documents, leftOut } = await resolve({ files: [name], directories: [name] });
    expect(documents).toEqual([]);
    expect(leftOut.map(({ path }) => path)).toEqual([name, name]);
    expect(['not-found', 'sensitive']).toContain(leftOut[0]?.reason);
  });

  it('PATH-23: one name 100,000 times is one read', async () => {
    const { documents, leftOut } = await resolve({ files: Array.from({ length: 100_000 }, () => 'in.txt') });
    expect(documents).toHaveLength(1);
    expect(leftOut).toEqual([]);
  });

  it('links that lead in circles end', async () => {
    symlinkSync('.', join(root, 'here'));
    symlinkSync('two', join(root, 'one'));
    symlinkSync('one', join(root, 'two'));
    put('ROOT/sub/x.txt', 'x');
    symlinkSync('../..', join(root, 'sub/up'));
    const bundle = await resolve({ directories: ['.', 'here'], globPatterns: ['**/*.txt'] });
    expect(texts(bundle)).toEqual({ 'in.txt': 'inside', 'sub/x.txt': 'x' });
    expect(reasons(bundle)).toEqual({
      here: 'is-a-directory',
      one: 'unreadable',
      two: 'unreadable',
      'sub/up': 'outside-roots',
    });
  });
});

describe('lines', () => {
  const asked = ['1-2', '1', '1-', '2,1'];

  it.each([
    ['PATH-01', '../OUT/secret.txt'],
    ['PATH-06', 'a/../../OUT/secret.txt'],
    ['PATH-09', '/proc/self/environ'],
    ['PATH-09', '/dev/zero'],
  ])('%s: lines of %s are refused like the file', async (_, name) => {
    const files = asked.map((lines) => `${name}:${lines}`);
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(reasons(bundle)).toEqual(Object.fromEntries(files.map((file) => [file, 'outside-roots'])));
  });

  it('PATH-04: lines through a link to outside are refused', async () => {
    symlinkSync(join(base, 'OUT/secret.txt'), join(root, 'link.txt'));
    symlinkSync(join(base, 'OUT/secret.txt'), join(root, 'in.txt:1'));
    symlinkSync('../OUT', join(root, 'dir'));
    symlinkSync('/proc/self/environ', join(root, 'env'));
    const files = ['link.txt:1', 'dir/secret.txt:1-2', 'in.txt:1', 'env:1'];
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(reasons(bundle)).toEqual(Object.fromEntries(files.map((file) => [file, 'outside-roots'])));
  });

  it('PATH-10: lines of pipes and devices are refused without waiting for them', async () => {
    symlinkSync('/dev/zero', join(root, 'zero'));
    expect(spawnSync('mkfifo', [join(root, 'pipe'), join(root, 'pipe:2')]).status).toBe(0);
    expect(reasons(await resolve({ files: ['zero:1', 'pipe:1', 'pipe:2'] }))).toEqual({
      'zero:1': 'outside-roots',
      'pipe:1': 'not-a-file',
      'pipe:2': 'not-a-file',
    });
  });

  it('PATH-12: lines of a sparse file of 100 GB are refused by its size', async () => {
    put('ROOT/sparse');
    truncateSync(join(root, 'sparse'), 100 * 1024 ** 3);
    put('ROOT/large');
    truncateSync(join(root, 'large'), 64 * 1024 ** 2 + 1);
    const before = process.memoryUsage().rss;
    const bundle = await resolve({ files: ['sparse:1-2', 'large:1', 'in.txt:1'] });
    expect(bundle.leftOut.map(({ path, reason, detail }) => [path, reason, detail])).toEqual([
      ['large:1', 'over-byte-limit', '67108865 bytes; lines are found only in files of up to 67108864'],
      ['sparse:1-2', 'over-byte-limit', '107374182400 bytes; lines are found only in files of up to 67108864'],
    ]);
    expect(texts(bundle)).toEqual({ 'in.txt': 'inside' });
    expect(process.memoryUsage().rss - before).toBeLessThan(10_000_000);
  });

  it('PATH-12: an image of 100 GB is refused by its size', async () => {
    put('ROOT/sparse', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    truncateSync(join(root, 'sparse'), 100 * 1024 ** 3);
    const bundle = await resolve({ files: ['sparse'], mediaTypes: ['image/png'], maxMediaBytes: 1_000_000 });
    expect(bundle).toEqual({
      documents: [],
      leftOut: [{ path: 'sparse', reason: 'over-media-limit', origin: 'file', detail: '107374182400 bytes' }],
    });
  });

  it('PATH-16: names with NUL and line feeds do not name lines', async () => {
    const files = ['in.txt\0:1', 'in.txt:1\0', 'in.txt:1\n', 'in.txt:\0', '\0:1'];
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(reasons(bundle)).toEqual(Object.fromEntries(files.map((file) => [file, 'not-found'])));
  });

  it('PATH-18: names of 255 bytes have lines, longer ones are reported', async () => {
    const longest = 'a'.repeat(255);
    put(`ROOT/${longest}`, 'one\ntwo\n');
    const files = [`${longest}:2`, `${'b'.repeat(256)}:2`, `${'p/'.repeat(2_200)}:2`, `in.txt:${'1,'.repeat(99)}1`];
    const bundle = await resolve({ files });
    expect(bundle.documents.map(({ path, text }) => [path, text])).toEqual([
      [longest, 'two\n'],
      ['in.txt', 'inside'],
    ]);
    expect(Object.values(reasons(bundle))).toEqual(['name-too-long', 'name-too-long']);
  });

  it('PATH-20: lines of names that are devices and streams on other systems are plain names', async () => {
    const files = ['CON:1', 'x:stream:1', 'C:\\x:1', 'C:\\x', 'C:1'];
    const bundle = await resolve({ files });
    expect(reasons(bundle)).toEqual(Object.fromEntries(files.map((file) => [file, 'not-found'])));
  });

  it('PATH-23: ranges are counted, in one name and in a call', async () => {
    put('ROOT/long.txt', 'x\n'.repeat(5_000));
    const one = `long.txt:${'1-2,'.repeat(100_000)}1`;
    expect((await resolve({ files: [one] })).leftOut).toEqual([
      { path: one, reason: 'no-such-lines', origin: 'file', detail: 'more than 100 ranges in one name' },
    ]);
    const many = await resolve({ files: Array.from({ length: 1_200 }, (_, index) => `long.txt:${2 * index + 1}`) });
    expect(many.documents).toHaveLength(500);
    const counts = new Map<string, number>();
    for (const { reason } of many.leftOut) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    expect(counts).toEqual(
      new Map([
        ['no-such-lines', 200],
        ['over-file-limit', 500],
      ]),
    );
  });

  it('SECRET-03: lines of a secret are refused, under any name', async () => {
    put('ROOT/.env', canary);
    put('ROOT/server.pem', canary);
    put('ROOT/.git/config', canary);
    symlinkSync('.env', join(root, 'notes.txt'));
    const files = ['.env:1-3', './.ENV:1', 'server.pem:1', '.git/config:1', 'notes.txt:1'];
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(reasons(bundle)).toEqual(Object.fromEntries(files.map((file) => [file, 'sensitive'])));
  });

  it("SECRET-03: a picture with a secret's name is a secret", async () => {
    put('ROOT/id_rsa', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    const bundle = await resolve({ files: ['id_rsa'], mediaTypes: ['image/png'], maxMediaBytes: 100 });
    expect(bundle.media).toBeUndefined();
    expect(reasons(bundle)).toEqual({ id_rsa: 'sensitive' });
  });

  it('CONTENT-05: a file with binary content elsewhere has no lines', async () => {
    put('ROOT/late', Buffer.concat([Buffer.from('one\ntwo\n'), Buffer.from([0xff, 0x0a])]));
    put('ROOT/nul', 'one\n\0');
    expect(reasons(await resolve({ files: ['late:1', 'nul:1'] }))).toEqual({ 'late:1': 'not-utf8', 'nul:1': 'binary' });
  });

  it('one real file is sent once, whichever name requests its lines', async () => {
    put('ROOT/real.txt', 'one\ntwo\nthree\n');
    symlinkSync('real.txt', join(root, 'link.txt'));
    const bundle = await resolve({ files: ['real.txt:1-2', 'link.txt:1-2', 'link.txt:3-3'] });
    expect(bundle.documents.map(({ path, text }) => [path, text])).toEqual([['link.txt', 'one\ntwo\nthree\n']]);
    const parts = await resolve({ files: ['real.txt:2', 'link.txt:1-2'] });
    expect(parts.documents.map(({ path, lines }) => [path, lines])).toEqual([['link.txt', { first: 1, last: 2 }]]);
  });
});

describe('patterns', () => {
  it('GLOB-02: thirty wildcards are answered', async () => {
    put(`ROOT/${'a'.repeat(40)}c`);
    const pattern = `${'*a'.repeat(29)}*ab`;
    expect(reasons(await resolve({ globPatterns: [pattern] }))).toEqual({ [pattern]: 'pattern-without-match' });
    expect(texts(await resolve({ globPatterns: [`${'*a'.repeat(29)}*c`] }))).toEqual({ [`${'a'.repeat(40)}c`]: '' });
  });

  it('GLOB-02: a .gitignore made of wildcards is answered as well', async () => {
    put(`ROOT/${'a/'.repeat(40)}c`);
    put('ROOT/.gitignore', `${'**/a/'.repeat(20)}b\n${'*a'.repeat(40)}*b\n`);
    put(`ROOT/${'a'.repeat(200)}`);
    expect(Object.keys(texts(await resolve({ directories: ['.'] })))).toHaveLength(4);
  });

  it.each(['{1..1000000000}', '{a..z..-1}', '{1..99999999999999999999}', '{1..300}'])(
    'GLOB-04: %s is refused',
    async (pattern) => {
      const { documents, leftOut } = await resolve({ globPatterns: [pattern] });
      expect(documents).toEqual([]);
      expect(leftOut).toEqual([
        { path: pattern, reason: 'pattern-refused', origin: 'glob', detail: 'a range of more than 256 items' },
      ]);
    },
  );

  it('GLOB-07: a pattern below a link to outside returns nothing', async () => {
    symlinkSync(join(base, 'OUT'), join(root, 's'));
    expect(reasons(await resolve({ globPatterns: ['s/*', '*/secret.txt', '[s]/*', '{s,t}/*', 's/../s/*'] }))).toEqual({
      's/*': 'outside-roots',
      '*/secret.txt': 'pattern-without-match',
      '[s]/*': 'pattern-without-match',
      '{s,t}/*': 'pattern-without-match',
      's/../s/*': 'outside-roots',
    });
  });

  it('GLOB-08: odd patterns neither crash nor hang, and secrets stay', async () => {
    put('ROOT/.env', `TOKEN=${canary}`);
    put('ROOT/.git/config', `url = https://user:${canary}@host`);
    put('ROOT/.hidden', 'hidden');
    put('ROOT/a/b/x', 'deep');
    const globPatterns = ['!**/*', '!(*)', '#*', '[', '[!', '\\', '', '.*', '**/.env', '.git/**', '**/**/**/**/**/x'];
    const bundle = await resolve({ globPatterns });
    expect(texts(bundle)).toEqual({ '.hidden': 'hidden', 'a/b/x': 'deep' });
    expect(reasons(bundle)).toEqual({
      '!**/*': 'pattern-refused',
      '!(*)': 'pattern-refused',
      '': 'pattern-refused',
      '#*': 'pattern-without-match',
      '[': 'pattern-without-match',
      '[!': 'pattern-without-match',
      '\\': 'pattern-without-match',
      '.env': 'sensitive',
      '.git/**': 'sensitive',
    });
  });

  it('GLOB-09: a pattern of 70,000 characters is refused', async () => {
    const { leftOut } = await resolve({ globPatterns: ['a'.repeat(70_000)] });
    expect(leftOut).toMatchObject([{ reason: 'pattern-refused', detail: 'longer than 4096 characters' }]);
  });

  it('GLOB-02: patterns that are too intricate together are refused, simple ones are not', async () => {
    const globPatterns = [...Array.from({ length: 20 }, (_, index) => `${'*a'.repeat(50)}${index}`), '*.txt'];
    const bundle = await resolve({ globPatterns });
    expect(texts(bundle)).toEqual({ 'in.txt': 'inside' });
    expect(new Set(Object.values(reasons(bundle)))).toEqual(new Set(['pattern-refused', 'pattern-without-match']));
  });

  it.each([
    '../OUT/*',
    'a/../../OUT/*',
    '{..,a}/OUT/*',
    '\\.\\./OUT/*',
    '[.][.]/OUT/*',
    '@(..)/OUT/*',
    '*/../../OUT/*',
    '/etc/host*',
    '{/etc,/}/pass*',
    './/..//OUT/**',
  ])('the pattern %s does not climb out', async (pattern) => {
    put('ROOT/a/b');
    const { documents, leftOut } = await resolve({ globPatterns: [pattern] });
    expect(documents).toEqual([]);
    expect(leftOut).toHaveLength(1);
    expect(leftOut[0]).toMatchObject({ path: pattern, origin: 'glob' });
  });
});

describe('content', () => {
  it('CONTENT-05: a file that is not UTF-8 is left out by name, the rest kept to the byte', async () => {
    put('ROOT/invalid.txt', Uint8Array.from([0x66, 0x6f, 0xff, 0xfe, 0x80, 0x0a]));
    put('ROOT/utf16.txt', Uint8Array.from([0xff, 0xfe, 0x61, 0x00, 0x0d, 0x00, 0x0a, 0x00]));
    put('ROOT/bom.txt', Uint8Array.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a]));
    const { documents, leftOut } = await resolve({ files: ['invalid.txt', 'utf16.txt', 'bom.txt'] });
    expect(documents).toEqual([{ path: 'bom.txt', text: '\uFEFFa\r\n', sizeBytes: 6, origin: 'file' }]);
    expect(leftOut).toEqual([
      { path: 'invalid.txt', reason: 'not-utf8', origin: 'file' },
      { path: 'utf16.txt', reason: 'not-utf8', origin: 'file', detail: 'UTF-16' },
    ]);
  });

  it('CONTENT-06: binary files are left out with the reason, named or found', async () => {
    put('ROOT/nul', 'text\0text');
    put('ROOT/late-nul', `${'x'.repeat(100_000)}\0`);
    put('ROOT/picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    put('ROOT/program', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0x02]));
    put('ROOT/packed', Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x20]));
    const named = await resolve({ files: ['nul', 'late-nul', 'picture', 'program', 'packed'] });
    expect(named.documents).toEqual([]);
    expect(named.leftOut.map(({ reason, detail }) => `${reason}: ${detail}`).sort()).toEqual([
      'binary: ELF',
      'binary: NUL bytes',
      'binary: NUL bytes',
      'binary: zip',
      'media-not-carried: image/png',
    ]);
    const found = await resolve({ directories: ['.'] });
    expect(Object.keys(texts(found))).toEqual(['in.txt']);
    expect(found.leftOut.filter(({ reason }) => reason === 'binary')).toHaveLength(5);
  });
});

describe('secrets', () => {
  const secrets = [
    '.env',
    '.env.local',
    'server.pem',
    'id_rsa',
    '.npmrc',
    '.netrc',
    '.aws/credentials',
    '.git-credentials',
    'service-account.json',
    'deep/er/Service-Account-Prod.JSON',
  ];

  it('SECRET-01: a walk lists files that look like secrets and reads none of them', async () => {
    for (const secret of secrets) {
      put(`ROOT/${secret}`, canary);
    }
    put('ROOT/.env.example', 'TOKEN=');
    const bundle = await resolve({ directories: ['.'] });
    expect(texts(bundle)).toEqual({ '.env.example': 'TOKEN=', 'in.txt': 'inside' });
    expect(reasons(bundle)).toEqual(Object.fromEntries(secrets.map((secret) => [secret, 'sensitive'])));
    const asked = await resolve({ globPatterns: ['**/.*', '**/*', '.aws/*'] });
    expect(Object.keys(texts(asked)).sort()).toEqual(['.env.example', 'in.txt']);
  });

  it('SECRET-02: .git is never walked, nor read by name', async () => {
    put('ROOT/.git/config', `url = https://user:${canary}@host`);
    put('ROOT/sub/.git/config', `url = https://user:${canary}@host`);
    put('ROOT/.GIT/config', `url = https://user:${canary}@host`);
    expect(await resolve({ directories: ['.'] })).toMatchObject({ documents: [{ path: 'in.txt' }], leftOut: [] });
    const named = await resolve({
      files: ['.git/config'],
      directories: ['.git', 'sub/.git'],
      globPatterns: ['sub/.git/*'],
    });
    expect(named.documents).toEqual([]);
    expect(reasons(named)).toEqual({
      '.git/config': 'sensitive',
      '.git': 'sensitive',
      'sub/.git': 'sensitive',
      'sub/.git/*': 'sensitive',
    });
  });

  it('SECRET-03: a secret requested by name is refused, under any name', async () => {
    for (const secret of secrets) {
      put(`ROOT/${secret}`, canary);
    }
    symlinkSync('.env', join(root, 'notes.txt'));
    symlinkSync('.', join(root, 'here'));
    symlinkSync('in.txt', join(root, 'id_ed25519'));
    expect(reasons(await resolve({ files: ['notes.txt'] }))).toEqual({ 'notes.txt': 'sensitive' });
    const files = [...secrets, 'notes.txt', 'here/.env', './.ENV', join(root, '.env'), 'id_ed25519'];
    const bundle = await resolve({ files });
    expect(bundle.documents).toEqual([]);
    expect(bundle.leftOut.map(({ path, reason }) => [path, reason]).sort()).toEqual(
      files.map((path) => [path, 'sensitive']).sort(),
    );
  });

  it('SECRET-03: the operator alone can allow it for names', async () => {
    put('ROOT/.env', 'TOKEN=1');
    put('ROOT/.git/config', '[core]');
    const allowed = await resolve({ files: ['.env', '.git/config'] }, true);
    expect(texts(allowed)).toEqual({ '.env': 'TOKEN=1', '.git/config': '[core]' });
    const walked = await resolve({ directories: ['.', '.git'], globPatterns: ['.env'] }, true);
    expect(texts(walked)).toEqual({ 'in.txt': 'inside' });
  });

  it('a hard link is followed: only the name of a file can be judged', async () => {
    put('ROOT/.env', 'TOKEN=1');
    linkSync(join(root, '.env'), join(root, 'plain.txt'));
    expect(texts(await resolve({ files: ['plain.txt'] }))).toEqual({ 'plain.txt': 'TOKEN=1' });
  });
});

/** Root may read everything: as root, runs the work with the rights of an unprivileged user. */
async function asOrdinaryUser<Value>(work: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0) {
    return work();
  }
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
