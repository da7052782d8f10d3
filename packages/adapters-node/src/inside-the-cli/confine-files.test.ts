import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Confinement, confineFilesPiece } from './confine-files.ts';
import { buildPreload, withPreload } from './preload.ts';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'confine-files-')));
  await write('run/directory/inside.txt', 'inside');
  await write('run/directories/directory-1/theirs.txt', 'inside');
  await write('state/sessions/secret.json', 'outside');
  await write('elsewhere/secret.txt', 'outside');
  await write('login/oauth_creds.json', 'login');
  await write('login/history.json', 'outside');
  await symlink(join(root, 'run'), join(root, 'run-by-link'));
});

afterEach(() => rm(root, { recursive: true }));

const at = (name: string): string => join(root, name);

async function write(name: string, content: string): Promise<void> {
  await mkdir(dirname(at(name)), { recursive: true });
  await writeFile(at(name), content);
}

/** What a script of a package gets of each expression, or the code of its failure. */
async function resultsOf(
  expressions: readonly string[],
  { own = 'run', name = '@google/gemini-cli', ...more }: Partial<Confinement> & { readonly name?: string } = {},
): Promise<unknown> {
  const confinement: Confinement = {
    own: at(own),
    unlisted: [at(own), at(join(own, 'directories'))],
    hidden: [at('state')],
    open: [],
    read: [at('login/oauth_creds.json')],
    programs: ['/usr/bin', '/bin'],
    readsAnywhere: false,
    ...more,
  };
  const { path, content } = buildPreload([confineFilesPiece(confinement)]);
  await writeFile(at(join('run', path)), content);
  await write('package/package.json', JSON.stringify({ name, type: 'module' }));
  const lines = expressions.map((expression) => `await result(async () => ${expression})`);
  await write(
    'package/bundle/script.js',
    `import fs, { readdirSync, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const callback = (name, ...words) => promisify(fs[name])(...words);
const streamed = (path) => new Promise((done, fail) => fs.createReadStream(path).on('data', (data) => done(String(data))).on('error', fail));
const result = async (run) => { try { return await run() ?? 'nothing' } catch (error) { return error.code ?? error.message } };
process.stdout.write(JSON.stringify([${lines.join(', ')}]));`,
  );
  const { file, arguments: words } = withPreload(
    { file: process.execPath, arguments: [at('package/bundle/script.js')] },
    at('run'),
  );
  const { stdout } = await promisify(execFile)(file, [...words], { cwd: at('run/directory') });
  return JSON.parse(stdout);
}

/** Every way to list, read or look at a path. */
function accessesTo(path: string) {
  const quoted = JSON.stringify(path);
  return {
    list: [
      ...[
        `fs.readdirSync(${quoted})`,
        `readdirSync(${quoted})`,
        `fs.promises.readdir(${quoted})`,
        `readdir(${quoted})`,
      ],
      ...[`callback('readdir', ${quoted})`, `callback('readdir', ${quoted}, { withFileTypes: true })`],
      ...[`fs.opendirSync(${quoted}).path`, `callback('opendir', ${quoted})`, `fs.promises.opendir(${quoted})`],
      ...[`fs.readdirSync(Buffer.from(${quoted}))`, `fs.readdirSync(new URL('file://' + ${quoted}))`],
      ...[`require('fs').readdirSync(${quoted})`, `fs.readdirSync(${quoted} + '/./../' + ${quoted}.split('/').at(-1))`],
    ],
    read: [
      ...[`fs.readFileSync(${quoted}, 'utf8')`, `fs.promises.readFile(${quoted}, 'utf8')`, `streamed(${quoted})`],
      ...[`callback('readFile', ${quoted}, 'utf8')`, `fs.openSync(${quoted})`, `callback('open', ${quoted})`],
      `fs.promises.open(${quoted})`,
    ],
    look: [
      ...['stat', 'lstat', 'access', 'realpath'].flatMap((name) => [
        ...[`fs.${name}Sync(${quoted})`, `fs.promises.${name}(${quoted})`, `callback('${name}', ${quoted})`],
      ]),
      ...[`fs.realpathSync.native(${quoted})`, `promisify(fs.realpath.native)(${quoted})`],
    ],
  };
}

describe('a process of the CLI that is confined', () => {
  it('PATTERN-04: finds nothing outside, whichever function it asks', async () => {
    const directory = accessesTo(at('elsewhere'));
    const file = accessesTo(at('elsewhere/secret.txt'));
    const asked = [...directory.list, ...accessesTo('/').list, ...accessesTo('/etc').list, ...file.read, ...file.look];
    expect(await resultsOf(asked)).toEqual(asked.map(() => 'ENOENT'));
    const asks = [
      `existsSync(${JSON.stringify(at('elsewhere'))})`,
      `fs.statSync(${JSON.stringify(at('elsewhere'))}, { throwIfNoEntry: false })`,
    ];
    expect(await resultsOf(asks)).toEqual([false, 'nothing']);
  });

  it('PATTERN-04: finds what is its own, by either of its names, but for lists of what has secret names', async () => {
    const own = [at('run/directory'), at('run-by-link/directory'), '.'].flatMap((path) => [
      `fs.readdirSync(${JSON.stringify(path)})`,
      `callback('readFile', ${JSON.stringify(`${path}/inside.txt`)}, 'utf8')`,
    ]);
    const found = await resultsOf(own, { own: 'run-by-link' });
    expect(found).toEqual([0, 1, 2].flatMap(() => [['inside.txt'], 'inside']));
    const lists = [...accessesTo(at('run')).list, ...accessesTo(at('run/directories')).list];
    expect(await resultsOf(lists)).toEqual(lists.map(() => 'ENOENT'));
    expect(await resultsOf([`fs.readdirSync(${JSON.stringify(at('run/directories/directory-1'))})`])).toEqual([
      ['theirs.txt'],
    ]);
  });

  it('PATTERN-04: reads what it was given and looks for programs, and sees nothing else', async () => {
    const read = (name: string): string => `fs.readFileSync(${JSON.stringify(at(name))}, 'utf8')`;
    const asked = [
      read('login/oauth_creds.json'),
      read('login/history.json'),
      `fs.readdirSync(${JSON.stringify(at('login'))})`,
    ];
    expect(await resultsOf(asked)).toEqual(['login', 'ENOENT', 'ENOENT']);
    expect(await resultsOf(["existsSync('/bin/sh')", "fs.readdirSync('/bin')"])).toEqual([true, 'ENOENT']);
    expect(await resultsOf([read('elsewhere/secret.txt')], { readsAnywhere: true })).toEqual(['outside']);
  });

  it('PATTERN-04: sees of others nothing where everything else is open', async () => {
    const list = (name: string): string => `fs.readdirSync(${JSON.stringify(at(name))})`;
    const asked = [
      list('elsewhere'),
      list('state'),
      list('state/sessions'),
      `existsSync(${JSON.stringify(at('state/sessions/secret.json'))})`,
    ];
    expect(await resultsOf(asked, { open: ['/'] })).toEqual([['secret.txt'], 'ENOENT', 'ENOENT', false]);
  });

  it('is none where another program is run', async () => {
    expect(await resultsOf([`fs.readdirSync(${JSON.stringify(at('elsewhere'))})`], { name: 'a-wrapper' })).toEqual([
      ['secret.txt'],
    ]);
  });
});
