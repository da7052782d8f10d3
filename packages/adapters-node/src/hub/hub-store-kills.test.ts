import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerLists } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileCredentialStore } from './file-credential-store.ts';
import { FileKeptLists } from './file-kept-lists.ts';
import { FileKeptPins } from './file-kept-pins.ts';

/** How many writers are killed for each store. */
const rounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 5);

/** Writes one record after the other in a process of its own, and tells when it begins one, and its number once it is kept. */
const program = `
  import { readFileSync, writeSync } from 'node:fs';
  import { FakeClock } from '@gemini-mcp/core/testing';
  import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
  import { FileCredentialStore } from './file-credential-store.ts';
  import { FileKeptLists } from './file-kept-lists.ts';
  import { FileKeptPins } from './file-kept-pins.ts';

  const [store, directory, key, record, from] = process.argv.slice(2);
  const signal = new AbortController().signal;
  const given = JSON.parse(readFileSync(record, 'utf8'));

  async function saveCredentials(save) {
    const store = new FileCredentialStore({
      directory, clock: new FakeClock(), keychain: new InMemoryKeychain(), isSealed: false,
    });
    const found = await store.find({ owner: key, server: given.server }, signal);
    let version = found?.version ?? 0;
    return async (number) => {
      const kept = await store.save(key, { credential: { ...given, updatedAtMs: number }, expectedVersion: version }, signal);
      version = kept.version;
    };
  }

  const lists = new FileKeptLists(directory);
  const pins = new FileKeptPins(directory);
  const saves = {
    lists: async () => (number) => lists.save(key, { ...given, takenAtMs: number }, signal),
    pins: async () => (number) => pins.add(key, [{ ...given, definition: given.definition + number }], signal),
    credentials: saveCredentials,
  };
  const save = await saves[store]();
  for (let number = Number(from); ; number += 1) {
    writeSync(1, 'begins\\n');
    await save(number);
    writeSync(1, number + '\\n');
  }
`;

const maxMoreMs = 5;

const signal = new AbortController().signal;
const key = 'a'.repeat(64);
const server = 'https://mcp.example.com/mcp';
const long = 'x'.repeat(300_000);

/** So long that most kills come while it is being written. */
const lists: ServerLists = { tools: [], prompts: [], resources: [], instructions: long, leftOut: [], takenAtMs: 0 };
const pin = { tool: 'look', digest: 'c'.repeat(64), definition: long };
const credential = {
  server,
  resource: null,
  issuer: 'https://login.example.com',
  tokenUrl: 'https://login.example.com/token',
  tokenMethods: [],
  revocationUrl: null,
  client: {
    id: 'ours',
    secret: null,
    method: null,
    secretExpiresAtMs: null,
    redirectUri: 'http://127.0.0.1:1/',
    scopes: [],
  },
  serial: 'first',
  tokens: { access: long, refresh: null, expiresAtMs: null, scopes: [] },
  refusal: null,
  wantedScopes: [],
  renewal: null,
  updatedAtMs: 0,
};

type Store = {
  readonly name: 'lists' | 'pins' | 'credentials';
  /** What is written, and under which name. */
  readonly key: string;
  readonly record: object;
  /** The number of the record that is there; null where there is none, or it is not whole. */
  readonly read: (directory: string) => Promise<number | null>;
  /** The next use after a writer was killed, by a process that writes too. */
  readonly use: (directory: string) => Promise<unknown>;
  /** The most files that stay for good. */
  readonly files: number;
};

const credentialsIn = (directory: string): FileCredentialStore =>
  new FileCredentialStore({
    directory,
    clock: new FakeClock(),
    keychain: new InMemoryKeychain(),
    isSealed: false,
    onQuarantine: ({ reason }) => expect.unreachable(reason),
  });

const stores: readonly Store[] = [
  {
    name: 'lists',
    key,
    record: lists,
    read: async (directory) => {
      const kept = await new FileKeptLists(directory).load(key, signal);
      return kept?.instructions === long ? kept.takenAtMs : null;
    },
    use: (directory) => new FileKeptLists(directory).save(key, lists, signal),
    files: 1,
  },
  {
    name: 'pins',
    key,
    record: pin,
    read: async (directory) => {
      const [kept] = (await new FileKeptPins(directory).load(key, signal)) ?? [];
      return kept?.definition.startsWith(long) === true ? Number(kept.definition.slice(long.length)) : null;
    },
    use: (directory) => new FileKeptPins(directory).add(key, [pin], signal),
    files: 9,
  },
  {
    name: 'credentials',
    key: 'ada',
    record: credential,
    read: async (directory) => {
      const kept = await credentialsIn(directory).find({ owner: 'ada', server }, signal);
      return kept?.credential.tokens.access === long ? kept.credential.updatedAtMs : null;
    },
    use: (directory) => credentialsIn(directory).find({ owner: 'ada', server }, signal),
    // Its content and its head.
    files: 2,
  },
];

let programDirectory: string;
let programFile: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  programDirectory = await mkdtemp(join(tmpdir(), 'hub-store-program-'));
  programFile = join(programDirectory, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'js' },
    outfile: programFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@gemini-mcp/source'],
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'silent',
  });
});

afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
  await rm(programDirectory, { recursive: true });
});

/** Kills a writer after it has kept so many records, in the middle of the next one. Resolves to the number of the last that it told of. */
async function killWriter({ name, key: place, record }: Store, directory: string, from: number): Promise<number> {
  const file = join(programDirectory, `${name}.json`);
  await writeFile(file, JSON.stringify(record));
  const words = [programFile, name, directory, place, file, String(from)];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
    // The third one has begun; how far it is by then differs from kill to kill.
    if (told.split('begins').length > 3) {
      setTimeout(() => child.kill('SIGKILL'), Math.random() * maxMoreMs);
    }
  });
  await once(child, 'close');
  running.delete(child);
  return Number(told.match(/\d+/g)?.at(-1));
}

async function filesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(process.platform === 'win32')('The stores of the hub, whose writers are killed', () => {
  let left = 0;
  // Otherwise no kill would have come in the middle of anything.
  afterAll(() => expect(left).toBeGreaterThan(0));

  it.each(stores)(
    `$name: the last that was kept, or the next one, is there, and nothing else stays for good (${rounds} rounds)`,
    async (store) => {
      const directory = await mkdtemp(join(tmpdir(), 'hub-store-kills-'));
      let last = 0;
      for (let round = 0; round < rounds; round += 1) {
        const told = await killWriter(store, directory, last + 1);
        last = (await store.read(directory)) ?? -1;
        expect([told, told + 1]).toContain(last);
        const files = await filesIn(directory);
        // What a killed writer leaves is taken away when it is so old that no living one can be at it.
        const old = Date.now() / 1_000 - 7_200;
        await Promise.all(files.map((file) => utimes(file, old, old)));
        await store.use(directory);
        const stays = await filesIn(directory);
        expect(stays.length).toBeLessThanOrEqual(store.files);
        left += files.filter((file) => !stays.includes(file)).length;
      }
      await rm(directory, { recursive: true });
    },
  );
});
