import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PickNumber, pickOne } from './random-pick.ts';

export type RandomTree = {
  readonly project: string;
  readonly outside: string;
  readonly roots: readonly string[];
  readonly workingDirectory: string;
};

const directoryNames = [
  ...['a', 'b', 'packages', 'web', 'x', 'sp ace', 'ü', '.hidden', 'ignored', 'tests'],
  ...['node_modules', 'vendor', 'target', '.venv', '.cache', 'new\nline', 'back\\040slash'],
] as const;
const plainNames = [
  'a.txt',
  'b.js',
  'package.json',
  'Makefile',
  'README.md',
  'data.bin',
  'i.css',
  '.gitignore',
] as const;
const secretNames = [
  '.env',
  '.env.local',
  'id_rsa',
  'server.pem',
  '.npmrc',
  'secrets.yml',
  'prod.tfstate',
  '.netrc',
] as const;
const guardedNames = [
  ...['.github/workflows/ci.yml', '.vscode/tasks.json', 'AGENTS.md', 'CLAUDE.md', '.husky/pre-commit'],
  ...['.claude/settings.json', '.mcp.json', 'Jenkinsfile', '.gitattributes'],
] as const;

/** Makes a project with secrets, protected files, repositories and links in it, and a directory next to it that no command may reach. */
export function makeRandomTree(base: string, pick: PickNumber): RandomTree {
  const project = join(base, 'project');
  const outside = makeOutside(base);
  const directories: [string, ...string[]] = [project];
  mkdirSync(project, { recursive: true });
  for (let count = 6 + pick(8); count > 0; count -= 1) {
    const path = join(pickOne(pick, directories), pickOne(pick, directoryNames));
    mkdirSync(path, { recursive: true });
    directories.push(path);
  }
  for (let count = 8 + pick(10); count > 0; count -= 1) {
    put(join(pickOne(pick, directories), pickOne(pick, plainNames)), `plain ${count}\n`);
  }
  for (let count = 3 + pick(6); count > 0; count -= 1) {
    put(join(pickOne(pick, directories), pickOne(pick, secretNames)), `KEY=CANARY-secret-${count}\n`);
    put(join(pickOne(pick, directories), pickOne(pick, guardedNames)), `guarded ${count}\n`);
  }
  if (pick(2) === 0) {
    put(join(project, '.gitignore'), 'ignored/\n*.css\n');
  }
  makeLinks(directories, outside, pick);
  const inner = pickOne(pick, directories);
  const roots = pick(3) === 0 && inner !== project ? [project, inner] : [project];
  return { project, outside, roots, workingDirectory: pick(3) === 0 ? pickOne(pick, directories) : project };
}

/** A repository in two of three projects, and links that lead in and out. */
function makeLinks(directories: readonly [string, ...string[]], outside: string, pick: PickNumber): void {
  if (pick(3) > 0) {
    const path = pickOne(pick, directories);
    execFileSync('git', ['init', '-q', '--template=', path], { env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' } });
  }
  for (let count = pick(4); count > 0; count -= 1) {
    // Not `/`: a copy of the whole system takes the time of a hundred other lines.
    const ways = [outside, '/etc', `/proc/self/root${outside}`, `/oldroot${outside}`];
    const targets = [directories[0], '../outside', 'a', '..', ...ways];
    symlinkSync(targets[pick(targets.length)] ?? outside, join(pickOne(pick, directories), `link-${count}`));
  }
}

function makeOutside(base: string): string {
  const outside = join(base, 'outside');
  const names = ['canary.txt', '.env', '.npmrc', '.github/ci.yml', 'deep/er/id_rsa', '.git/config'];
  for (const [index, name] of names.entries()) {
    put(join(outside, name), `CANARY-outside-${index}\n`);
  }
  put(join(outside, 'empty/AGENTS.md'), '');
  mkdirSync(join(outside, 'empty/.vscode'));
  linkSync(join(outside, 'canary.txt'), join(outside, 'hard.txt'));
  return outside;
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
