import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLog } from '../log/create-log.ts';
import { warnOfState } from './find-state-problem.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'warn-of-state-'));
});

afterEach(() => rm(home, { recursive: true }));

async function logged(stateDirectory: string): Promise<readonly unknown[]> {
  const stream = new PassThrough();
  await warnOfState({ stateDirectory }, createLog({ level: 'warn', redact: (text) => text, stream }));
  stream.end();
  const lines = String(stream.read() ?? '').trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as unknown);
}

it('names a state directory that cannot be used, and what to do', async () => {
  await writeFile(join(home, 'file'), '');
  const path = join(home, 'file', 'state');
  expect(await logged(path)).toMatchObject([
    { level: 'warn', event: 'state-not-kept', path, message: expect.stringContaining('GEMINI_MCP_STATE_DIR') },
  ]);
});

it('says nothing of one that can be made', async () => {
  expect(await logged(join(home, 'state'))).toEqual([]);
});
