import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApprovalStore } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import { approvalsInMemory, FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { type ApprovalsResult, runApprovals } from './run-approvals.ts';
import { runTerminalCommand } from './run-command.ts';

const signal = new AbortController().signal;
const digest = 'd'.repeat(64);
let store: ApprovalStore;

beforeEach(() => {
  store = approvalsInMemory();
});

function run(words: readonly string[], flags: readonly string[] = []): Promise<ApprovalsResult> {
  const { mode } = parseCommandLine(['approvals', ...flags.map((flag) => `--${flag}`), '--', ...words], sampleProgram);
  if (mode.kind !== 'approvals') {
    throw new Error(mode.kind);
  }
  const digestOf = async (server: string) => (server === 'notes' ? digest : null);
  return runApprovals(mode, { store, clock: new FakeClock(0), directory: '/home/user/project', digestOf }, signal);
}

describe('approvals at a terminal', () => {
  it('are allowed in this directory, listed and revoked', async () => {
    expect(await run(['allow', 'npm', 'install'])).toEqual({
      output: '',
      note: 'Allowed: npm install … in /home/user/project, without the network\n',
      exitCode: 0,
    });
    const [kept] = await store.list(signal);
    expect(await run(['list'])).toEqual({
      output: `${escapeName(kept?.id ?? '')}  1970-01-01T00:00:00.000Z  npm install … in /home/user/project, without the network\n`,
      note: '',
      exitCode: 0,
    });
    expect(JSON.parse((await run(['list'], ['json'])).output)).toEqual([kept]);
    expect(await run(['revoke', kept?.id ?? ''])).toMatchObject({ exitCode: 0 });
    expect(await run(['revoke', kept?.id ?? ''])).toMatchObject({ exitCode: 1 });
    expect(await run([])).toEqual({ output: '', note: 'There are no permanent approvals.\n', exitCode: 0 });
  });

  it('are with the network when that is asked for', async () => {
    await run(['allow', 'npm', 'install'], ['network']);
    expect(await store.list(signal)).toMatchObject([{ allows: { network: true } }]);
  });

  it.each([
    [['npm'], 'This prefix is too broad'],
    [['sh', '-c', 'x'], 'This prefix is too broad'],
    [['npx', 'jest'], 'This prefix is too broad'],
    [['./build.sh'], 'This prefix is too broad'],
    [['npm', 'install', 'left-pad'], 'Run: approvals allow npm install'],
  ])('are refused for %j', async (words, note) => {
    const result = await run(['allow', ...words]);
    expect(result).toMatchObject({ output: '', exitCode: 1 });
    expect(result.note).toContain(note);
    expect(await store.list(signal)).toEqual([]);
  });

  it('of a tool hold for the settings that its server has now, everywhere', async () => {
    expect(await run(['allow-tool', 'notes', 'search'])).toEqual({
      output: '',
      note: 'Allowed: the tool search of notes, until the settings of the server change\n',
      exitCode: 0,
    });
    expect(await store.list(signal)).toMatchObject([
      { directory: null, allows: { type: 'tool', server: 'notes', tool: 'search', digest } },
    ]);
    expect((await run([])).output).toContain('the tool search of notes\n');
    expect(await run(['allow-tool', 'other', 'search'])).toMatchObject({
      note: 'No server is named "other". List the servers: mcp list\n',
      exitCode: 1,
    });
  });

  it.each([[['allow-tool']], [['allow-tool', 'notes']], [['allow-tool', 'notes', 'search', 'more']]])(
    'are refused for the words %j',
    (words) => expect(() => parseCommandLine(['approvals', ...words], sampleProgram)).toThrow(/approvals/),
  );

  it('show nothing that acts on the terminal', async () => {
    const prefix = ['x\u001b[2J', 'y\u202e'] as const;
    await store.add(
      { directory: '/a\nb', allows: { type: 'command', prefix, network: false }, allowedAtMs: 9e99 },
      signal,
    );
    const { output } = await run(['list']);
    expect(output).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(output.split('\n')).toHaveLength(2);
  });
});

describe('the command approvals', () => {
  let home: string;

  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'approvals-')));
  });

  afterEach(() => rm(home, { recursive: true }));

  it('keeps approvals for the next process, and reports a record that allows nothing', async () => {
    const state = join(home, 'state');
    const command = (...args: string[]) => {
      const { mode, flags } = parseCommandLine([...args, `--state-dir=${state}`], sampleProgram);
      if (mode.kind === 'serve') {
        throw new Error('no command');
      }
      const where = { environment: { HOME: home }, currentDirectory: home, nodePath: '', programPath: '' };
      return runTerminalCommand({ ...where, program: sampleProgram, mode, flags, version: '1' }, signal);
    };
    expect(await command('approvals', 'allow', 'npm', 'install')).toMatchObject({ exitCode: 0 });
    const { output } = await command('approvals');
    expect(output).toContain(`npm install … in ${home}, without the network`);
    const names = await readdir(join(state, 'records', 'approvals'), { recursive: true });
    const record = names.find((name) => name.endsWith('.json')) ?? 'no record';
    await writeFile(join(state, 'records', 'approvals', record), '{}');
    expect(await command('approvals')).toEqual({
      output: '',
      note: expect.stringMatching(
        /^A record could not be read \(not a record\): .*\.corrupt-\d+\nThere are no permanent approvals\.\n$/,
      ),
      exitCode: 0,
    });
  });
});
