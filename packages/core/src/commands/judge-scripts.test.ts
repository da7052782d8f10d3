import { describe, expect, it } from 'vitest';
import type { FileChange } from '../ports/workspace-steps.ts';
import type { CommandPlan } from './command-plan.ts';
import { judgeScripts, runsScripts } from './judge-scripts.ts';

function planOf(...texts: readonly string[]): CommandPlan {
  const [program = '', ...others] = texts.map((text) => ({ type: 'literal', text }) as const);
  const words = [program === '' ? ({ type: 'literal', text: '' } as const) : program, ...others] as const;
  return { directory: null, pipelines: [{ when: 'always', commands: [{ assignments: [], words, redirections: [] }] }] };
}

function changeOf(path: string, added: readonly string[], kind: FileChange['kind'] = 'modified'): FileChange {
  const diff = ['--- a', '+++ b', '@@ -1,3 +1,3 @@', ' {', ...added.map((line) => `+${line}`), ' }'].join('\n');
  return { path, kind, diff, addedLines: added.length, removedLines: 0 };
}

function decide(plan: CommandPlan, change: FileChange): string {
  return judgeScripts(plan, [change])?.decision ?? 'as before';
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
    ['a deleted file', planOf('npm', 'test'), changeOf('package.json', [], 'deleted')],
  ])('nothing is asked for %s', (_, plan, change) => {
    expect(decide(plan, change)).toBe('as before');
  });

  it('says which file it is', () => {
    expect(judgeScripts(planOf('npm', 'test'), [changeOf('package.json', ['"test": "x"'])])?.reason).toBe(
      'This run has changed package.json, which says what the command runs.',
    );
  });

  it('matters to programs that run scripts alone', () => {
    expect([planOf('npm', 'test'), planOf('constructor'), planOf('ls')].map(runsScripts)).toEqual([true, false, false]);
  });
});
