import { describe, expect, it } from 'vitest';
import type { CommandPlan } from '../ports/workspace/command-plan.ts';
import type { FileChange } from '../ports/workspace/file-steps.ts';
import { judgeScripts, runsScripts } from './judge-scripts.ts';

function planOf(...texts: readonly string[]): CommandPlan {
  const [program = '', ...others] = texts.map((text) => ({ type: 'literal', text }) as const);
  const words = [program === '' ? ({ type: 'literal', text: '' } as const) : program, ...others] as const;
  return { directory: null, pipelines: [{ when: 'always', commands: [{ assignments: [], words, redirections: [] }] }] };
}

function changeOf(
  path: string,
  added: readonly string[],
  kind: FileChange['kind'] = 'modified',
  before = ' {',
): FileChange {
  const diff = ['--- a', '+++ b', '@@ -1,3 +1,3 @@', before, ...added.map((line) => `+${line}`), ' }'].join('\n');
  return { path, kind, diff, addedLines: added.length, removedLines: 0 };
}

function decide(plan: CommandPlan, change: FileChange): string {
  return judgeScripts(plan, { files: [change], unkept: null })?.decision ?? 'as before';
}

describe('a script that the run has changed', () => {
  it.each<[string, CommandPlan, FileChange]>([
    ['another text', planOf('npm', 'test'), changeOf('package.json', ['    "test": "touch PWN"'])],
    [
      'one that looks like a version',
      planOf('npm', 'test'),
      changeOf('package.json', ['    "test": "1.0 || touch PWN"']),
    ],
    ['one in other letters', planOf('pnpm', 'test'), changeOf('package.json', ['    "\\u0074est": "\\u0074ouch PWN"'])],
    ['a file on one line', planOf('npm', 'test'), changeOf('package.json', ['{"scripts":{"test":"x"}}'])],
    [
      'a package deep in the project',
      planOf('pnpm', '-r', 'test'),
      changeOf('packages/a/package.json', ['"test": "x"']),
    ],
    ['a new file', planOf('yarn', 'test'), changeOf('package.json', ['{'], 'created')],
    ['a target', planOf('make', 'test'), changeOf('Makefile', ['\ttouch PWN'])],
    ['an included one', planOf('make'), changeOf('build/x.mk', ['\ttouch PWN'])],
    ['a recipe', planOf('just', 'test'), changeOf('justfile', [' x'])],
    ['by a wrapper', planOf('timeout', '9', 'npm', 'test'), changeOf('package.json', ['"test": "x"'])],
    ['HOST-L3 by a program', planOf('node', '/usr/bin/npm', 'test'), changeOf('package.json', ['"test": "x"'])],
    ['HOST-L3 by its script', planOf('node', '/x/npm-cli.js', 'test'), changeOf('package.json', ['"test": "x"'])],
    ['HOST-L3 by Node itself', planOf('node', '--run', 'test'), changeOf('package.json', ['"test": "x"'])],
    [
      'HOST-L3 a version among scripts',
      planOf('npm', 'test'),
      changeOf('package.json', ['  "test": "1.0.0"'], 'modified', '   "scripts": {'),
    ],
    [
      'HOST-L3 a version in a section that the diff does not show',
      planOf('npm', 'test'),
      changeOf('package.json', ['  "test": "1.0.0"'], 'modified', '   "build": "tsc",'),
    ],
    ['by a path', planOf('/usr/bin/npm', 'test'), changeOf('package.json', ['"test": "x"'])],
  ])('is asked about: %s', (_, plan, change) => {
    expect(decide(plan, change)).toBe('ask');
  });

  it.each<[string, CommandPlan, FileChange]>([
    ['another file', planOf('npm', 'test'), changeOf('src/a.ts', ['x'])],
    ['the file of another program', planOf('make', 'test'), changeOf('package.json', ['"test": "x"'])],
    ['a program that runs no script', planOf('ls'), changeOf('package.json', ['"test": "x"'])],
    [
      'only versions',
      planOf('npm', 'test'),
      changeOf('package.json', ['    "left-pad": "^1.3.0",', '    "@a/b": "~2.0.1"']),
    ],
    [
      'a version among dependencies',
      planOf('npm', 'test'),
      changeOf('package.json', ['    "left-pad": "^1.3.0"'], 'modified', '   "devDependencies": {'),
    ],
    ['a deleted file', planOf('npm', 'test'), changeOf('package.json', [], 'deleted')],
  ])('nothing is asked for %s', (_, plan, change) => {
    expect(decide(plan, change)).toBe('as before');
  });

  it('says which file it is', () => {
    const files = [changeOf('package.json', ['"test": "x"'])];
    expect(judgeScripts(planOf('npm', 'test'), { files, unkept: null })?.reason).toBe(
      'This run has changed package.json, which says what the command runs.',
    );
  });

  it('HOST-L3: needs a question if nothing is watched, and if the command is among packages', () => {
    const unkept = { count: 2, first: [{ path: 'node_modules', count: 2 }], scripts: ['ignored/package.json'] };
    const reasons = [
      planOf('npm', 'test'),
      planOf('make'),
      planOf('npm', '--prefix', 'node_modules/x', 'test'),
      { ...planOf('true'), directory: 'node_modules/x' },
    ].map((plan) => judgeScripts(plan, { files: [], unkept })?.reason ?? null);
    const about = (path: string): string => `This run has changed ${path}, which says what the command runs.`;
    expect(reasons).toEqual([
      about('ignored/package.json'),
      null,
      about('ignored/package.json'),
      about('node_modules'),
    ]);
  });

  it('matters to programs that run scripts alone', () => {
    expect([planOf('npm', 'test'), planOf('constructor'), planOf('ls')].map(runsScripts)).toEqual([true, false, false]);
  });
});
