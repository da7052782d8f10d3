import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LineOutcome, LinesPlace } from './testing/run-lines.ts';

const modules = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules');
const userId = process.getuid?.() ?? 0;

let place: LinesPlace;

async function run(line: string, toolPaths: readonly string[] = []): Promise<{ outcome: LineOutcome; output: string }> {
  const [outcome] = await place.run([line], { timeoutMs: 60_000, toolPaths });
  if (outcome === undefined) {
    throw new Error('There was no outcome.');
  }
  return { outcome, output: outcome.result?.ok === true ? outcome.result.value.output : JSON.stringify(outcome) };
}

async function expectToRun(line: string, output: RegExp, toolPaths: readonly string[] = []): Promise<void> {
  const ran = await run(line, toolPaths);
  expect(ran.output).toMatch(output);
  expect(ran.outcome).toMatchObject({
    decision: 'allow',
    result: { ok: true, value: { end: { type: 'exited', exitCode: 0 } } },
  });
}

function isHere(...paths: readonly string[]): boolean {
  return paths.some((path) => existsSync(path));
}

describe.runIf(process.platform === 'linux')('commands that work by the shipped rules alone', () => {
  beforeEach(async () => {
    place = await LinesPlace.make(userId);
  });

  afterEach(() => place.remove());

  it('grep, with a pipe and a pattern', async () => {
    await place.put('a.ts', 'TODO one\n');
    await place.put('b.ts', 'TODO two\n');
    await expectToRun('grep -n TODO *.ts | head -1', /^a\.ts:1:TODO one\n$/);
  });

  it('node script, with arguments and a file for its output', async () => {
    await place.put('script.js', 'console.log(process.argv[2], process.cwd())');
    await expectToRun("node script.js 'a  b' > out.txt && cat out.txt", new RegExp(`^a {2}b ${place.project}\n$`));
  });

  it('npm test', async () => {
    await place.put('package.json', JSON.stringify({ name: 'x', scripts: { test: 'node --test' } }));
    await place.put('x.test.js', "require('node:test')('adds', () => {})");
    await expectToRun('npm test', /pass 1/);
  });

  it.runIf(isHere('/usr/bin/make'))('make target', async () => {
    await place.put('Makefile', 'greet:\n\t@echo hello\n');
    await expectToRun('make greet', /^hello\n$/);
  });

  it.runIf(isHere('/usr/bin/git'))('git status, which lists none of the names that are held', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: place.project });
    await place.put('a.txt', '');
    await expectToRun('git status --short', /^\?\? a\.txt\n$/);
  });

  it('tsc, of the project itself', async () => {
    await place.put('a.ts', 'export const a: number = 1;\n');
    await place.put('node_modules/.bin/tsc', `#!/bin/sh\nexec node ${modules}/typescript/bin/tsc "$@"\n`, 0o755);
    await expectToRun('tsc --noEmit a.ts', /^$/, [modules, join(modules, '.pnpm')]);
  });

  it.runIf(isHere(join(homedir(), '.cargo', 'bin', 'cargo')))('cargo check', async () => {
    await place.put('Cargo.toml', '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n');
    await place.put('src/main.rs', 'fn main() {}\n');
    const tools = ['.cargo', '.rustup'].map((name) => join(homedir(), name));
    await expectToRun('cargo check', /Finished/, tools);
  });

  it.runIf(isHere(join(homedir(), '.pyenv', 'shims', 'pytest')))('python -m pytest', async () => {
    await place.put('test_x.py', 'def test_x():\n    assert True\n');
    await expectToRun('python -m pytest -q', /1 passed/, [join(homedir(), '.pyenv')]);
  });
});
