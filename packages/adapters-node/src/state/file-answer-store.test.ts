import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@gemini-mcp/core/testing';
import { answerStoreInTemporaryDirectory, describeAnswerStoreContract } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileAnswerStore, type FileAnswerStoreOptions } from './file-answer-store.ts';
import type { Quarantined } from './quarantine.ts';

const signal = new AbortController().signal;
const createHandle = (): string => randomBytes(10).toString('hex');

describeAnswerStoreContract({
  name: 'FileAnswerStore',
  ...answerStoreInTemporaryDirectory(
    (bounds, directory) => new FileAnswerStore({ directory, createHandle, ...bounds }),
    { laterRecord: '{"format":99,"value":{}}' },
  ),
});

describe('FileAnswerStore', () => {
  const answer = { owner: 'alice', title: 'What is it?', text: 'It is this.' };
  const quarantined: Quarantined[] = [];
  let directory: string;
  let clock: FakeClock;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'file-answers-'));
    clock = new FakeClock();
    quarantined.length = 0;
  });

  afterEach(() => rm(directory, { recursive: true }));

  const open = (options: Partial<FileAnswerStoreOptions> = {}): FileAnswerStore =>
    new FileAnswerStore({ directory, clock, createHandle, onQuarantine: (one) => quarantined.push(one), ...options });

  it('does not give a handle a second time while the first answer is kept', async () => {
    const store = open({ createHandle: () => 'same' });
    expect(await store.save(answer, signal)).toMatchObject({ saved: true });
    expect(await store.save({ ...answer, text: 'other' }, signal)).toEqual({
      saved: false,
      detail: 'its handle is taken',
    });
    expect((await store.load('alice', 'same', signal))?.text).toBe(answer.text);
  });

  it('writes nothing by a handle that is none', async () => {
    const store = open({ createHandle: () => '../x' });
    expect(await store.save(answer, signal)).toEqual({ saved: false, detail: 'its id is none of ours' });
    expect(await readdir(directory)).toEqual([]);
  });

  it('LOAD-03: puts aside what is no answer, and lists the others', async () => {
    const handles = ['a', 'b'];
    const store = open({ createHandle: () => handles.shift() ?? 'none' });
    await store.save(answer, signal);
    await store.save(answer, signal);
    const files = await readdir(join(directory, 'answers'), { recursive: true });
    const damaged = files.find((name) => /[/\\]b[/\\].*json$/.test(name));
    await truncate(join(directory, 'answers', damaged ?? 'no answer'), 10);
    expect((await store.list('alice', 10, signal)).map(({ handle }) => handle)).toEqual(['a']);
    expect(quarantined).toEqual([{ path: expect.stringMatching(/b\.corrupt-\d+$/), reason: 'not JSON in UTF-8' }]);
    expect(await store.load('alice', 'b', signal)).toBeNull();
  });

  it('removes what has expired from the disk, at the first use of the next process at the latest', async () => {
    await open().save(answer, signal);
    await clock.advance(24 * 3_600_000);
    await open().list('bob', 1, signal);
    expect((await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.json'))).toEqual([]);
  });
});
