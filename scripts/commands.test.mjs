// Every command in the documents exists, and works or explains itself on a fresh clone without installed packages.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedPackages } from './published-packages.mjs';
import { rootDirectory } from './run-step.mjs';

const { scripts } = JSON.parse(readFileSync(join(rootDirectory, 'package.json'), 'utf8'));

/** They need nothing that an install brings. */
const withoutInstall = ['size', 'words'];

/**
 * The part of a command up to the next word that is not an argument, as `npm run soak -- --fake=2000` in `a`, a block or a
 * table.
 */
const patterns = {
  script: /\bnpm (?:run ([\w:-]+)|(test|start)(?![\w:-]))/g,
  file: /\bnode ((?:scripts|apps|packages|demo|bench)\/[\w./-]+\.m?js)\b/g,
};

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: rootDirectory, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && !path.startsWith('docs/adr/'));

function commandsOf(path, pattern) {
  const text = readFileSync(join(rootDirectory, path), 'utf8');
  const code = text.match(/^ *```[\s\S]*?^ *```|`[^`\n]+`/gm) ?? [];
  return code.flatMap((piece) => [...piece.matchAll(pattern)].map(([, one, other]) => one ?? other));
}

describe('the documents', () => {
  it('name only scripts that the root manifest has', () => {
    const named = documents.flatMap((path) => commandsOf(path, patterns.script).map((name) => `${path}: ${name}`));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((entry) => !(entry.split(': ')[1] in scripts))).toEqual([]);
  });

  it('name only programs that are here', () => {
    const named = documents.flatMap((path) => commandsOf(path, patterns.file));
    expect(named.length).toBeGreaterThan(0);
    const sources = named.filter((file) => !file.split('/').includes('dist'));
    expect(sources.filter((file) => !existsSync(join(rootDirectory, file)))).toEqual([]);
  });

  // On npm, a package of one of our names would be somebody else's. The README says so below its line; docs/releasing.md and what `setup` writes when npx started it are for the time after.
  it('install our packages by a path, never by a name', () => {
    expect(readFileSync(join(rootDirectory, 'README.md'), 'utf8')).toMatch(
      /^npx -y gemini\S+ setup\n```\n\n\*\*Do not run it yet\*\*/m,
    );
    const texts = execFileSync(
      'git',
      [
        'grep',
        '-nIE',
        '(npm (install|i|exec)|npx) .*gemini-mcp',
        '--',
        '.',
        ':!README.md',
        ':!docs/releasing.md',
        ':!docs/adr',
        ':!release',
        ':!packages/server/src/setup',
        ':!apps/mcp-stdio/src/find-server-command.ts',
      ],
      {
        cwd: rootDirectory,
        encoding: 'utf8',
      },
    );
    const words = texts.split('\n').flatMap((line) => {
      const [, rest = ''] = /(?:npm (?:install|i|exec)|npx(?! pnpm)) (.*)$/.exec(line) ?? [];
      return rest.split(/[\s"'`,]+/).filter((word) => /^@?gemini-mcp/.test(word));
    });
    expect(words).toEqual([]);
  });

  it('name every script of the root manifest in CONTRIBUTING', () => {
    const named = commandsOf('CONTRIBUTING.md', patterns.script);
    expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([]);
  });
});

/** A clone as far as the scripts see it, with an npx in front that records its arguments and does nothing. */
describe('on a clone without an install', () => {
  let clone;
  let environment;

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'gemini-mcp-clone-'));
    for (const name of ['package.json', 'scripts']) {
      cpSync(join(rootDirectory, name), join(clone, name), { recursive: true });
    }
    for (const { directory } of publishedPackages) {
      const place = join(clone, basename(dirname(directory)), basename(directory));
      mkdirSync(place, { recursive: true });
      cpSync(join(directory, 'package.json'), join(place, 'package.json'));
    }
    const programs = join(clone, 'programs');
    mkdirSync(programs);
    writeFileSync(
      join(programs, 'npx'),
      `#!/bin/sh\necho "$@" >> "${clone}/npx.log"\necho "npx: no network" >&2\nexit 7\n`,
    );
    chmodSync(join(programs, 'npx'), 0o755);
    const directories = [programs, dirname(process.execPath), '/usr/bin', '/bin'];
    environment = { HOME: clone, PATH: directories.join(delimiter) };
  });

  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  /** As npm runs a script: by a shell, in the directory of its manifest. */
  function runScript(command, cwd = clone) {
    rmSync(join(clone, 'npx.log'), { force: true });
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, env: environment, encoding: 'utf8' });
    const log = join(clone, 'npx.log');
    return { status, said: stdout + stderr, asked: existsSync(log) ? readFileSync(log, 'utf8') : '' };
  }

  it.each(Object.keys(scripts).filter((name) => !withoutInstall.includes(name)))(
    'npm run %s begins with the install',
    (name) => {
      const { status, said, asked } = runScript(scripts[name]);
      expect(asked).toMatch(/^--yes pnpm@[\d.]+ install --frozen-lockfile/);
      expect(asked.trim().split('\n')).toHaveLength(1);
      expect(status).not.toBe(0);
      expect(said).not.toMatch(/not found|Cannot find|ENOENT|\n +at /);
    },
  );

  it.each(publishedPackages.map(({ name, directory, manifest }) => [name, { directory, manifest }]))(
    'npm pack of %s builds first, and packs nothing if it cannot',
    (_, { directory, manifest }) => {
      const place = join(clone, basename(dirname(directory)), basename(directory));
      const { status, said, asked } = runScript(manifest.scripts.prepack, place);
      expect(asked).toMatch(/ install /);
      expect(status).not.toBe(0);
      expect(said).toContain('The install failed.');
      expect(readdirSync(place)).toEqual(['package.json']);
    },
  );
});
