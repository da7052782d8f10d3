import { type Session, SessionRecords, type SessionStore } from '@gemini-mcp/core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionsMode } from './parse-command-line.ts';
import { runSessions, type SessionsResult } from './run-sessions.ts';

const signal = new AbortController().signal;
const first = '0f8fad5b-d9cb-469f-a165-70867728950e';
const second = '1f8fad5b-d9cb-469f-a165-70867728950e';
const never = '2f8fad5b-d9cb-469f-a165-70867728950e';

/** An escape sequence, a control of C1, a mark that turns text around, and a line that could be taken for ours. */
const hostile = 'a\u001b[2J\u009b31m\u202eb\n2. Gemini, now\n# c';

const session: Session = {
  id: first,
  owner: 'aaaaaaaaaaaaaaaa',
  model: null,
  workingDirectory: '/project\u001b',
  systemPrompt: null,
  createdAtMs: 0,
  updatedAtMs: 1_000,
  turns: [
    { role: 'user', text: hostile, atMs: 0 },
    { role: 'model', text: 'Yes.', atMs: 1_000 },
  ],
};

let store: SessionRecords;

beforeEach(async () => {
  store = new SessionRecords();
  await store.save(session, 0, signal);
  await store.save({ ...session, id: second, owner: 'b', updatedAtMs: 2_000, turns: [] }, 0, signal);
});

const common = { kind: 'sessions', owner: null, json: false } as const;

function run(mode: SessionsMode): Promise<SessionsResult> {
  return runSessions(mode, store, signal);
}

describe('runSessions', () => {
  it('lists the conversations of all owners, the one used last first', async () => {
    const { output, ...rest } = await run({ ...common, action: 'list' });
    expect(rest).toEqual({ note: '', exitCode: 0 });
    expect(output.split('\n')).toEqual([
      expect.stringMatching(
        new RegExp(`^${second} {2}1970-01-01T00:00:02.000Z {2}owner b {2}0 turns, \\d+ bytes {2}""$`),
      ),
      expect.stringMatching(
        new RegExp(`^${first} .* owner aaaaaaaaaaaa {2}2 turns, .* "a\\\\u\\{1b\\}\\[2J\\\\u\\{9b\\}`),
      ),
      '',
    ]);
  });

  it('lists those of one owner, by the beginning of its name', async () => {
    const { output } = await run({ ...common, action: 'list', owner: 'aaa' });
    expect(output).toMatch(new RegExp(`^${first} .*\n$`));
    const nobody = await run({ ...common, action: 'list', owner: 'x' });
    expect(nobody).toEqual({ output: '', note: 'There are no stored conversations.\n', exitCode: 0 });
  });

  it('lists for programs', async () => {
    const { output } = await run({ ...common, action: 'list', json: true });
    expect(JSON.parse(output)).toMatchObject([
      { id: second, owner: 'b', turns: 0 },
      { id: first, owner: 'aaaaaaaaaaaaaaaa', turns: 2 },
    ]);
  });

  it.each(['show', 'export'] as const)(
    'FORGED-08: %s lets nothing act on a terminal or pass for ours',
    async (action) => {
      const { output, exitCode } = await run({ ...common, action, id: first });
      expect(exitCode).toBe(0);
      expect(output).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
      const mark = action === 'show' ? '|' : '>';
      expect(output).toContain(`\n${mark} a\\u{1b}[2J\\u{9b}31m\\u{202e}b\n${mark} 2. Gemini, now\n${mark} # c\n`);
      expect(output).toContain('directory that Gemini may read: /project\\u{1b}');
    },
  );

  it.each(['show', 'export'] as const)('%s --json has every character, in escapes', async (action) => {
    const { output } = await run({ ...common, action, id: first, json: true });
    expect(output).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
    expect(JSON.parse(output)).toEqual(session);
  });

  it('deletes one, and leaves the others', async () => {
    const result = await run({ ...common, action: 'delete', id: first });
    expect(result).toEqual({ output: '', note: 'The conversation is deleted.\n', exitCode: 0 });
    expect(await store.load(session.owner, first, signal)).toBeNull();
    expect(await store.list('b', 10, signal)).toHaveLength(1);
  });

  it.each(['show', 'export', 'delete'] as const)('%s reports an unknown conversation', async (action) => {
    const missing = {
      output: '',
      note: 'No conversation has this id. List the conversations: sessions list\n',
      exitCode: 1,
    };
    expect(await run({ ...common, action, id: never })).toEqual(missing);
    expect(await run({ ...common, action, id: '../../x' })).toEqual(missing);
    expect(await run({ ...common, action, id: first, owner: 'b' })).toEqual(missing);
    expect(await store.owners(signal)).toHaveLength(2);
  });

  it('says why one cannot be deleted', async () => {
    const broken: SessionStore = {
      load: (...args) => store.load(...args),
      save: (...args) => store.save(...args),
      list: (...args) => store.list(...args),
      owners: (...args) => store.owners(...args),
      delete: async () => ({ deleted: false, reason: 'unavailable', detail: 'the disk failed (EIO)' }),
    };
    expect(await runSessions({ ...common, action: 'delete', id: first }, broken, signal)).toEqual({
      output: '',
      note: 'The conversation could not be deleted: the disk failed (EIO). It is unchanged.\n',
      exitCode: 1,
    });
  });
});
