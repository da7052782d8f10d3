import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { GitPlace } from './testing/git-place.ts';

let place: GitPlace;
let canary: string;
beforeEach(() => {
  place = new GitPlace();
  canary = join(place.root, 'canary');
});
afterEach(() => {
  expect(place.left()).toEqual([]);
  place.remove();
});

/** A program that leaves a trace. */
function writeProgram(name: string): string {
  const path = join(place.root, name);
  writeFileSync(path, `#!/bin/sh\necho "$0" >> ${canary}\ncat 2>/dev/null\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Every way known to make Git start a program while it compares files. */
function arm(): void {
  const program = writeProgram('evil');
  const settings = [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'core.alternateRefsCommand'],
    ...['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'filter.evil.clean', 'filter.evil.smudge'],
    ...['filter.evil.process', 'merge.evil.driver', 'credential.helper', 'gpg.program', 'interactive.diffFilter'],
    ...['uploadpack.packObjectsHook', 'remote.origin.uploadpack', 'alias.diff', 'pager.diff', 'trailer.x.command'],
  ];
  for (const setting of settings) {
    place.git('config', setting, setting.startsWith('alias') ? `!${program}` : program);
  }
  place.git('config', 'core.hooksPath', join(place.top, 'hooks'));
  place.git('config', 'filter.evil.required', 'true');
  mkdirSync(join(place.top, 'hooks'));
  for (const hook of [
    'post-index-change',
    'pre-commit',
    'fsmonitor-watchman',
    'post-checkout',
    'reference-transaction',
  ]) {
    execFileSync('cp', [program, join(place.top, 'hooks', hook)]);
    execFileSync('cp', [program, join(place.top, '.git', 'hooks', hook)]);
  }
  writeFileSync(join(place.top, '.gitattributes'), '* diff=evil filter=evil merge=evil\n');
  mkdirSync(join(place.top, '.git', 'info'), { recursive: true });
  writeFileSync(join(place.top, '.git', 'info', 'attributes'), '* diff=evil filter=evil\n');
}

describe('a hostile repository', () => {
  it('gets none of its programs started, for any selection', async () => {
    place.commit({ 'a.ts': 'one\n', 'b.ts': 'one\n' });
    place.commit({ 'a.ts': 'two\n' });
    arm();
    place.write({ 'a.ts': 'three\n', 'new.ts': 'x\n' });
    // The trap works: Git itself falls into it.
    spawnSync('git', ['diff'], { cwd: place.top, env: { PATH: process.env['PATH'], HOME: place.root } });
    expect(existsSync(canary)).toBe(true);
    writeFileSync(canary, '');
    for (const selection of [
      { type: 'working' },
      { type: 'staged' },
      { type: 'commit', revision: 'HEAD' },
      { type: 'range', from: 'HEAD~1', to: 'HEAD', fromMergeBase: true },
    ] as const) {
      const read = await place.read(selection);
      expect(read).toMatchObject({ ok: true });
      if (read.ok) {
        const { signal } = new AbortController();
        await read.change.findMentions({ texts: ['one'], endings: ['.ts'] }, signal);
        await read.change.readTexts(await read.change.listPaths(signal), signal);
        await read.change.close();
      }
    }
    expect(execFileSync('cat', [canary], { encoding: 'utf8' })).toBe('');
  });

  it('gains nothing by variables of the environment', async () => {
    place.commit({ 'a.ts': 'one\n' });
    place.write({ 'a.ts': 'two\n' });
    const evil = writeProgram('evil');
    const variables = {
      ...{ GIT_EXTERNAL_DIFF: evil, GIT_PAGER: evil, GIT_SSH_COMMAND: evil, GIT_TRACE: canary, GIT_DIR: '/nowhere' },
      ...{
        GIT_INDEX_FILE: '/nowhere',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        GIT_CONFIG_VALUE_0: evil,
      },
    };
    const before = { ...process.env };
    onTestFinished(() => {
      for (const name of Object.keys(variables)) {
        delete process.env[name];
      }
      Object.assign(process.env, before);
    });
    Object.assign(process.env, variables);
    expect((await place.change()).files).toMatchObject([{ path: 'a.ts', text: 'two\n' }]);
    expect(existsSync(canary)).toBe(false);
  });

  it('cannot send what lies in a submodule, and does not run its monitor', async () => {
    place.commit({ 'a.ts': 'one\n' });
    const inner = join(place.top, 'inner');
    execFileSync('git', ['init', '-q', inner]);
    writeFileSync(join(inner, 'x.ts'), 'x\n');
    execFileSync('git', ['-C', inner, 'add', '.']);
    execFileSync('git', ['-C', inner, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'x']);
    place.git('add', 'inner');
    place.git('commit', '-q', '-m', 'inner');
    execFileSync('git', ['-C', inner, 'config', 'core.fsmonitor', writeProgram('evil')]);
    writeFileSync(join(inner, 'x.ts'), 'CANARY\n');
    const change = await place.change();
    expect(change.files).toEqual([]);
    expect(existsSync(canary)).toBe(false);
  });
});

describe('the history of another project', () => {
  let victim: GitPlace;
  beforeEach(() => {
    victim = new GitPlace();
    victim.commit({ 'secret.ts': 'CANARY\n' });
  });
  afterEach(() => victim.remove());

  it('is not read through a .git file', async () => {
    const hostile = join(place.root, 'hostile');
    mkdirSync(hostile);
    writeFileSync(join(hostile, '.git'), `gitdir: ${join(victim.top, '.git')}\n`);
    const read = await place.read({ type: 'commit', revision: 'HEAD' }, hostile, [hostile]);
    expect(read).toEqual({ ok: false, problem: expect.stringContaining('outside the allowed directories') });
  });

  it('is not read through a link', async () => {
    const hostile = join(place.root, 'hostile');
    mkdirSync(hostile);
    symlinkSync(join(victim.top, '.git'), join(hostile, '.git'));
    const read = await place.read({ type: 'commit', revision: 'HEAD' }, hostile, [hostile]);
    expect(read).toEqual({ ok: false, problem: expect.stringContaining('outside the allowed directories') });
  });

  it.each(['objects', 'objects/pack'])('is not read through linked %s', async (name) => {
    place.commit({ 'a.ts': 'one\n' });
    renameSync(join(place.top, '.git', name), join(place.root, 'moved'));
    symlinkSync(join(victim.top, '.git', name), join(place.top, '.git', name));
    const read = await place.read({ type: 'working' });
    expect(read).toEqual({ ok: false, problem: expect.stringContaining('outside the allowed directories') });
  });

  it('is not read through alternates', async () => {
    place.commit({ 'a.ts': 'one\n' });
    appendFileSync(
      join(place.top, '.git', 'objects', 'info', 'alternates'),
      `${join(victim.top, '.git', 'objects')}\n`,
    );
    const read = await place.read({ type: 'commit', revision: victim.git('rev-parse', 'HEAD').trim() });
    expect(read).toEqual({ ok: false, problem: expect.stringContaining('outside the allowed directories') });
  });

  it('is not read through a commondir', async () => {
    place.commit({ 'a.ts': 'one\n' });
    writeFileSync(join(place.top, '.git', 'commondir'), join(victim.top, '.git'));
    const read = await place.read({ type: 'commit', revision: victim.git('rev-parse', 'HEAD').trim() });
    expect(read).toMatchObject({ ok: false });
  });
});
