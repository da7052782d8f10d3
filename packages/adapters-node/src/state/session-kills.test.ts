import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Session } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FileSessionStore } from './file-session-store.ts';
import type { Quarantined } from './quarantine.ts';

/** How many writers the ordinary run kills. A thousand take a few minutes. */
const kills = Number(process.env['GEMINI_MCP_SESSION_KILLS'] ?? 40);
const killsPerTest = 10;

/** The writer's sessions grow to so many turns, and begin anew. */
const maxRound = 100;
const roundAfter = (round: number): number => (round % maxRound) + 1;

/**
 * The adapter from source in a process of its own. Each of its lines on stdout is written before anything else happens, so
 * that what it has told is true even if it is killed right after.
 */
const program = `
  import { randomUUID } from 'node:crypto';
  import { writeSync } from 'node:fs';
  import { SystemClock } from '../clock/system-clock.ts';
  import { FileSessionStore } from './file-session-store.ts';

  const [mode, directory, ...names] = process.argv.slice(2);
  const store = new FileSessionStore({ directory, clock: new SystemClock(), retentionMs: null });
  const signal = new AbortController().signal;
  const tell = (...words) => writeSync(1, words.join(' ') + '\\n');

  function sessionOf(id, turns) {
    return {
      id, owner: 'alice', model: null, workingDirectory: null, systemPrompt: null,
      createdAtMs: 1, updatedAtMs: turns.length, turns,
    };
  }

  const turnsOf = (round) =>
    Array.from({ length: round }, (_, atMs) => ({ role: 'model', text: String(round).padEnd(1_000), atMs }));

  async function save(session, version) {
    const result = await store.save(session, version, signal);
    if (!result.saved) {
      tell('failed', JSON.stringify(result));
      process.exit(1);
    }
    tell('saved', session.id, result.version, session.updatedAtMs);
    return result.version;
  }

  async function saveOn(id) {
    const stored = await store.load('alice', id, signal);
    let version = stored?.version ?? 0;
    for (let round = (stored?.session.updatedAtMs ?? 0) + 1; ; round = (round % ${maxRound}) + 1) {
      version = await save(sessionOf(id, turnsOf(round)), version);
    }
  }

  async function comeAndGo() {
    for (;;) {
      const id = randomUUID();
      await save(sessionOf(id, turnsOf(1)), 0);
      tell('deleting', id);
      await store.delete('alice', id, signal);
    }
  }

  async function append(id, name, count) {
    for (let said = 0; said < count; ) {
      const stored = await store.load('alice', id, signal);
      const turns = [...(stored?.session.turns ?? []), { role: 'user', text: name + ' ' + said, atMs: 1 }];
      const result = await store.save(sessionOf(id, turns), stored?.version ?? 0, signal);
      said += result.saved ? 1 : 0;
    }
  }

  async function fill(id) {
    let version = 0;
    for (let round = 1; ; round += 1) {
      const result = await store.save(sessionOf(id, turnsOf(round)), version, signal);
      if (!result.saved) {
        const { session } = await store.load('alice', id, signal);
        tell(JSON.stringify({ result, isOld: session.updatedAtMs === round - 1 && session.turns.length === round - 1 }));
        return;
      }
      version = result.version;
    }
  }

  const modes = {
    'save-on': () => Promise.all([comeAndGo(), ...names.map(saveOn)]),
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

/** Starts a writer, kills it a moment after it has told of its first save, and resolves to all that it told. */
async function killWriter(ids: readonly string[]): Promise<readonly string[][]> {
  const child = start(process.execPath, programFile, 'save-on', directory, ...ids);
  let told = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    if (told === '') {
      // The moment is what this test draws by lot; nothing waits for it.
      setTimeout(() => child.kill('SIGKILL'), randomInt(0, 25));
    }
    told += chunk;
  });
  const [code] = await once(child, 'close');
  expect({ code, told: code === null ? '' : told }).toEqual({ code: null, told: '' });
  return told
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
}

type Told = { readonly version: number; readonly round: number };

/** What must be there, by a session's id, after all that was told. */
function follow(lines: readonly string[][], told: Map<string, Told | null>): void {
  for (const [what, id = '', version, round] of lines) {
    told.set(id, what === 'saved' ? { version: Number(version), round: Number(round) } : null);
  }
}

function expectWhole({ turns, updatedAtMs }: Session): void {
  expect(turns).toHaveLength(updatedAtMs);
  expect(new Set(turns.map((turn) => turn.text))).toEqual(new Set([String(updatedAtMs).padEnd(1_000)]));
}

function open(quarantined: Quarantined[]): FileSessionStore {
  const onQuarantine = (one: Quarantined): number => quarantined.push(one);
  return new FileSessionStore({ directory, clock: new FakeClock(), retentionMs: null, onQuarantine });
}

async function countFiles(): Promise<number> {
  const names = await readdir(join(directory, 'sessions'), { recursive: true });
  return names.filter((name) => /head\.|\.json$/.test(name)).length;
}

/** All that must hold after a kill. Resolves to how many files the writer had left. */
async function inspect(ids: readonly string[], told: Map<string, Told | null>): Promise<number> {
  const quarantined: Quarantined[] = [];
  const before = await countFiles();
  const store = open(quarantined);
  for (const [id, last] of told) {
    const loaded = await store.load('alice', id, signal);
    if (loaded !== null) {
      expectWhole(loaded.session);
    }
    if (last !== null) {
      expect(loaded?.version).toBeGreaterThanOrEqual(last.version);
      // The save that was told last, or the one that was under way.
      expect([last.round, roundAfter(last.round)]).toContain(loaded?.session.updatedAtMs);
    }
    told.set(id, loaded === null ? null : { version: loaded.version, round: loaded.session.updatedAtMs });
  }
  const listed = await store.list('alice', 100, signal);
  listed.forEach(expectWhole);
  const names = await readdir(join(directory, 'sessions'), { recursive: true });
  // The owner's directory; and for each session its own, its contents and its head.
  expect(names).toHaveLength(1 + 3 * listed.length);
  for (const { id } of listed.filter((session) => !ids.includes(session.id))) {
    await store.delete('alice', id, signal);
  }
  for (const id of [...told.keys()].filter((one) => !ids.includes(one))) {
    told.delete(id);
  }
  expect(quarantined).toEqual([]);
  return before - 2 * listed.length;
}

describe.skipIf(process.platform === 'win32')('FileSessionStore, killed', () => {
  const tests = Array.from({ length: Math.ceil(kills / killsPerTest) }, (_, index) => {
    const first = index * killsPerTest + 1;
    return { first, last: Math.min(kills, first + killsPerTest - 1) };
  });

  it.each(tests)(
    'every session is whole and as new as was told, after kills $first to $last',
    async ({ first, last }) => {
      const ids = Array.from({ length: 4 }, () => randomUUID());
      const told = new Map<string, Told | null>();
      let left = 0;
      for (let kill = first; kill <= last; kill += 1) {
        follow(await killWriter(ids), told);
        left += await inspect(ids, told);
      }
      // Otherwise no kill would have come in the middle of a save.
      expect(left).toBeGreaterThan(0);
    },
  );
});

describe('FileSessionStore, in several processes', () => {
  it('loses no turn, and keeps the order of each', async () => {
    const id = randomUUID();
    const writers = ['a', 'b', 'c'];
    const ended = writers.map((name) =>
      once(start(process.execPath, programFile, 'append', directory, id, name, '15'), 'close'),
    );
    expect(await Promise.all(ended)).toEqual(writers.map(() => [0, null]));
    const stored = await open([]).load('alice', id, signal);
    const said = stored?.session.turns.map((turn) => turn.text) ?? [];
    expect(said).toHaveLength(45);
    for (const name of writers) {
      const own = said.filter((one) => one.startsWith(name));
      expect(own).toEqual(own.map((_, index) => `${name} ${index}`));
      expect(own).toHaveLength(15);
    }
  });
});

/** Whether this user may mount a disk that nobody else sees, and that ends with the process. */
function mayMount(): boolean {
  return spawnSync('sh', ['-c', 'unshare -rm mount -t tmpfs none /tmp'], { stdio: 'ignore' }).status === 0;
}

describe.skipIf(!mayMount())('FileSessionStore, on a full disk', () => {
  it('says so, and leaves the old session', async () => {
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
