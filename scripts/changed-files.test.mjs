import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listChangedFiles } from './changed-files.mjs';

let directory = '';

let hour = 0;

function git(...args) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  const env = { ...process.env, GIT_COMMITTER_DATE: `${1_800_000_000 + hour * 3_600} +0000` };
  const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: directory, encoding: 'utf8', env });
  expect(stderr, stderr).toSatisfy(() => status === 0);
}

function commit(name) {
  writeFileSync(join(directory, name), name);
  git('add', '.');
  git('commit', '--quiet', '--no-gpg-sign', '-m', name);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-changed-'));
  git('init', '--quiet', '--initial-branch=main');
  commit('first');
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('a branch has changed what its commits and the work since then have changed', () => {
  git('switch', '--quiet', '--create', 'branch');
  commit('second');
  commit('third');
  writeFileSync(join(directory, 'first'), 'edited');
  writeFileSync(join(directory, 'new'), 'not added');

  expect(listChangedFiles(directory)).toEqual(['first', 'second', 'third', 'new']);
});

it('main has changed what its commits of the last day changed', () => {
  commit('second');
  hour += 30;
  commit('third');
  hour += 20;
  commit('fourth');

  expect(listChangedFiles(directory)).toEqual(['fourth', 'third']);
});

it('main does not know if all its commits are of one day', () => {
  commit('second');

  expect(listChangedFiles(directory)).toBeNull();
});

it('a clone of one commit, and a directory without Git, do not know', () => {
  expect(listChangedFiles(directory)).toBeNull();
  rmSync(join(directory, '.git'), { recursive: true });
  expect(listChangedFiles(directory)).toBeNull();
});
