import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sensitiveList } from '../../../disk/sensitive-names.ts';
import { GuardedLook, type GuardedPaths } from './guarded-look.ts';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'guarded-look-')));
});

afterEach(() => rmSync(root, { recursive: true }));

function put(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), 'x');
  }
}

/** Paths relative to the root. */
function shown({ guarded, masked, programs, cut }: GuardedPaths): Record<string, unknown> {
  const short = (path: string): string => relative(root, path);
  return {
    guarded: guarded.map(short).sort(),
    masked: masked.map(({ path }) => short(path)).sort(),
    programs: programs.map(short).sort(),
    cut: cut === null ? null : `${cut.reason} at ${short(cut.where)}`,
  };
}

const limits = { maxEntries: 1_000, maxPassedOver: 1_000, maxPlaces: 100 };

describe('GuardedLook', () => {
  it('HOST-L6: covers a directory that holds only secrets as a whole', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}.pem`);
    put(
      ...names.map((name) => `certs/${name}`),
      ...names.slice(0, 20).map((name) => `mixed/${name}`),
      'mixed/a.txt',
      'few/a.pem',
    );
    const { masked, cut } = shown(await new GuardedLook(root, limits).look());
    expect(masked).toEqual(expect.arrayContaining(['certs', 'few/a.pem', 'mixed/0.pem']));
    expect(masked).toHaveLength(22);
    expect(cut).toBeNull();
  });

  it('HOST-H6: finds secrets and repositories in third-party directories, and the programs in them', async () => {
    put(
      'node_modules/x/.npmrc',
      'vendor/.env',
      'target/prod.env',
      '.venv/lib/key.pem',
      '.yarn/a/.env',
      '.cache/.netrc',
    );
    put(
      'node_modules/.bin/tsc',
      'node_modules/x/node_modules/.bin/y',
      'a/.venv/bin/python',
      'venv/bin/pip',
      'vendor/bin/z',
    );
    put('node_modules/x/.git/config', 'node_modules/x/.github/a.yml', 'node_modules/x/AGENTS.md', 'a/AGENTS.md');
    expect(shown(await new GuardedLook(root).look())).toEqual({
      guarded: ['a/AGENTS.md', 'node_modules/x/.git'],
      masked: [
        '.cache/.netrc',
        '.venv/lib/key.pem',
        '.yarn/a/.env',
        'node_modules/x/.npmrc',
        'target/prod.env',
        'vendor/.env',
      ],
      programs: ['a/.venv/bin', 'node_modules/.bin', 'vendor/bin', 'venv/bin'],
      cut: null,
    });
  });

  it('HOST-H6: reports its limit of entries, and counts third-party directories separately', async () => {
    put(...Array.from({ length: 30 }, (_, index) => `node_modules/p${index}/index.js`), 'src/deep/.env');
    const small = { ...limits, maxEntries: 20, maxPassedOver: 200 };
    expect(shown(await new GuardedLook(root, small).look())).toMatchObject({ masked: ['src/deep/.env'], cut: null });
    put(...Array.from({ length: 30 }, (_, index) => `data/${index}`));
    expect(shown(await new GuardedLook(root, small).look())).toMatchObject({
      cut: expect.stringMatching(/^entries at (?:src|data)/),
    });
    const fewPassedOver = { ...limits, maxPassedOver: 10 };
    expect(shown(await new GuardedLook(root, fewPassedOver).look())).toMatchObject({
      cut: expect.stringMatching(/^entries at node_modules\/p/),
    });
  });

  it('HOST-H6: covers repositories first if there are too many places, and reports it', async () => {
    put(...Array.from({ length: 10 }, (_, index) => `a/${index}.pem`), 'z/q/.git/config');
    const places = shown(await new GuardedLook(root, { ...limits, maxPlaces: 4 }).look());
    expect(places).toMatchObject({ guarded: ['z/q/.git'], cut: expect.stringMatching(/^places at a\/\d\.pem$/) });
    expect(places['masked']).toHaveLength(3);
  });

  it('sees changes since at the second look, even if times were put back', async () => {
    put('a/b/one.txt', 'a/two.txt');
    const look = new GuardedLook(root);
    const long = new Date('2020-01-01');
    utimesSync(join(root, 'a/b'), long, long);
    expect(shown(await look.look())).toMatchObject({ masked: [] });
    put('a/b/.env', 'c/.git/config');
    utimesSync(join(root, 'a/b'), long, long);
    expect(shown(await look.look())).toMatchObject({ masked: ['a/b/.env'], guarded: ['c/.git'] });
    rmSync(join(root, 'a/b'), { recursive: true });
    symlinkSync('../c', join(root, 'a/b'));
    expect(shown(await look.look())).toMatchObject({ masked: [], guarded: ['c/.git'] });
  });

  it.skipIf(process.getuid?.() === 0)('masks a closed directory, since a command could open it', async () => {
    put('a/.env', 'b/.env');
    chmodSync(join(root, 'a'), 0o300);
    chmodSync(join(root, 'b'), 0o600);
    const places = await new GuardedLook(root).look();
    chmodSync(join(root, 'a'), 0o700);
    chmodSync(join(root, 'b'), 0o700);
    expect(shown(places)).toMatchObject({ masked: ['a', 'b'] });
  });

  it.runIf(process.platform === 'linux')('reports that it cannot cover a name that is not UTF-8', async () => {
    execFileSync('sh', ['-c', `mkdir "$(printf 'd/\\377')" -p; touch "$(printf 'd/\\377/.env')"`], { cwd: root });
    expect(shown(await new GuardedLook(root).look())).toMatchObject({ cut: 'names at d' });
  });

  it('recognizes a place of secrets by three names', () => {
    const names = [...sensitiveList.places, ...sensitiveList.files].map((place) => place.split('/').length);
    expect(Math.max(...names)).toBe(3);
  });
});
