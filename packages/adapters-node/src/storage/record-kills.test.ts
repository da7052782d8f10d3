import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SessionRecords } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import {
  describeSessionStoreKillContract,
  type SessionStoreKillHarness,
  type SessionWriter,
} from '@gemini-mcp/port-contracts';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Quarantined } from '../disk/durable/quarantine.ts';
import { FileRecordStore } from './file-record-store.ts';

/** The number of writers that an ordinary run kills. A thousand take a few minutes. */
const kills = Number(process.env['GEMINI_MCP_RECORD_KILLS'] ?? 10);

/** The adapter from source in its own process. Its messages are written before anything else happens. */
const program = `
  import { writeSync } from 'node:fs';
  import { writeSessionsUntilKilled, writtenSession } from '@gemini-mcp/port-contracts/write-sessions';
  import { SystemClock } from '../processes/system-clock.ts';
  import { SessionRecords } from '@gemini-mcp/core';
  import { FileRecordStore } from './file-record-store.ts';

  const [mode, directory, ...names] = process.argv.slice(2);
  const store = new SessionRecords({ records: new FileRecordStore({ directory, clock: new SystemClock() }) });
  const signal = new AbortController().signal;
  const tell = (text) => writeSync(1, text);

  async function append(id, name, count) {
    for (let said = 0; said < count; ) {
      const stored = await store.load('alice', id, signal);
      const turns = [...(stored?.session.turns ?? []), { role: 'user', text: name + ' ' + said, atMs: 1 }];
      const result = await store.save({ ...writtenSession(id, 1), turns }, stored?.version ?? 0, signal);
      said += result.saved ? 1 : 0;
    }
  }

  async function fill(id) {
    let version = 0;
    for (let round = 1; ; round += 1) {
      const result = await store.save(writtenSession(id, round), version, signal);
      if (!result.saved) {
        const { session } = await store.load('alice', id, signal);
        tell(JSON.stringify({ result, isOld: JSON.stringify(session) === JSON.stringify(writtenSession(id, round - 1)) }));
        return;
      }
      version = result.version;
    }
  }

  const modes = {
    'until-killed': () => writeSessionsUntilKilled({ store, ids: names, tell }),
    append: () => append(names[0], names[1], Number(names[2])),
    fill: () => fill(names[0]),
  };
  await modes[mode]();
`;

const signal = new AbortController().signal;
let programDirectory: string;
let programFile: string;
let directory: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  programDirectory = await mkdtemp(join(tmpdir(), 'session-program-'));
  programFile = join(programDirectory, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'js' },
    outfile: programFile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@gemini-mcp/source'],
  });
});

afterAll(() => rm(programDirectory, { recursive: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'session-kills-'));
});

afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
  await rm(directory, { recursive: true });
});

function start(file: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Resolves to null after SIGKILL, otherwise to how it ended. */
async function endOf(child: ChildProcess): Promise<string | null> {
  const [code, killedBy] = await once(child, 'close');
  return killedBy === 'SIGKILL' ? null : `exit code ${code}, signal ${killedBy}`;
}

function startWriter(place: string, ids: readonly string[], onTold: (text: string) => void): SessionWriter {
  const child = start(process.execPath, programFile, 'until-killed', place, ...ids);
  child.stdout?.setEncoding('utf8').on('data', onTold);
  return { kill: () => child.kill('SIGKILL'), ended: endOf(child) };
}

async function namesIn(place: string): Promise<readonly string[]> {
  return readdir(join(place, 'records', 'sessions'), { recursive: true });
}

/** Calls `onLeft` with the number of files and directories that a killed writer left. */
async function createKillHarness(onLeft: (count: number) => void): Promise<SessionStoreKillHarness> {
  const place = await mkdtemp(join(tmpdir(), 'session-kills-'));
  const quarantined: Quarantined[] = [];
  let before = 0;
  return {
    open: async () => {
      before = (await namesIn(place)).length;
      const onQuarantine = (one: Quarantined): number => quarantined.push(one);
      return new SessionRecords({
        records: new FileRecordStore({ directory: place, clock: new FakeClock(), onQuarantine }),
      });
    },
    startWriter: (ids, onTold) => startWriter(place, ids, onTold),
    inspect: async (listed) => {
      // The owner's directory; and for each session its directory, its contents and its head.
      const expected = 1 + 3 * listed.length;
      expect(await namesIn(place)).toHaveLength(expected);
      expect(quarantined).toEqual([]);
      onLeft(before - expected);
    },
    dispose: () => rm(place, { recursive: true }),
  };
}

describe.skipIf(process.platform === 'win32')('FileRecordStore, killed', () => {
  let left = 0;
  // Otherwise no kill hit the middle of a write.
  afterAll(() => expect(left).toBeGreaterThan(0));

  describeSessionStoreKillContract({
    name: 'FileRecordStore',
    kills,
    create: () =>
      createKillHarness((count) => {
        left += count;
      }),
  });
});

describe('FileRecordStore, in several processes', () => {
  it('loses no turn, and keeps the order of each', async () => {
    const id = randomUUID();
    const writers = ['a', 'b', 'c'];
    const ended = writers.map((name) =>
      once(start(process.execPath, programFile, 'append', directory, id, name, '15'), 'close'),
    );
    expect(await Promise.all(ended)).toEqual(writers.map(() => [0, null]));
    const store = new SessionRecords({ records: new FileRecordStore({ directory, clock: new FakeClock() }) });
    const stored = await store.load('alice', id, signal);
    const said = stored?.session.turns.map((turn) => turn.text) ?? [];
    expect(said).toHaveLength(45);
    for (const name of writers) {
      const own = said.filter((one) => one.startsWith(name));
      expect(own).toEqual(own.map((_, index) => `${name} ${index}`));
      expect(own).toHaveLength(15);
    }
  });
});

/** Whether this user may mount a disk that no other process sees, and that disappears with the process. */
function mayMount(): boolean {
  return spawnSync('sh', ['-c', 'unshare -rm mount -t tmpfs none /tmp'], { stdio: 'ignore' }).status === 0;
}

describe.skipIf(!mayMount())('FileRecordStore, on a full disk', () => {
  it('reports it, and leaves the old session', async () => {
    const mountAndFill = 'mount -t tmpfs -o size=256k,mode=700 none "$1" && exec "$2" "$3" fill "$1" "$4"';
    const names = [directory, process.execPath, programFile, randomUUID()];
    const child = start('sh', '-c', 'exec unshare -rm sh -c "$0" sh "$@"', mountAndFill, ...names);
    const output = child.stdout === null ? '' : await text(child.stdout);
    expect(JSON.parse(output)).toEqual({
      result: { saved: false, reason: 'unavailable', detail: 'there is no space left on the disk (ENOSPC)' },
      isOld: true,
    });
  });
});
