import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesWith, stubbornServer, timeUntilGone } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Opens the upstreams of a home, has every server listed, says that they run, and waits to be killed. */
const program = `
  import { FileRecordStore, GeminiCliFinder, SystemClock } from '@gemini-mcp/adapters-node';
  import { readConfiguration } from '../settings/read-configuration.ts';
  import { createUpstreams } from './create-upstreams.ts';

  const { env: environment } = process;
  const { configuration } = readConfiguration({ environment, currentDirectory: environment.HOME });
  const clock = new SystemClock();
  const records = new FileRecordStore({ directory: configuration.stateDirectory, clock });
  const { upstreams } = createUpstreams({
    configuration,
    environment,
    clock,
    records,
    localRecords: records,
    finder: new GeminiCliFinder({ environment, runsDirectory: environment.HOME + '/runs' }),
    isOfOneUser: true,
    version: '1',
    log: () => undefined,
  });
  const servers = upstreams.of('user');
  servers.list({ waitMs: 60_000 }, new AbortController().signal).then((listed) => {
    process.stdout.write(JSON.stringify(listed.map(({ name, state }) => name + ' ' + state.type)));
  });
`;

const rounds = Number(process.env['GEMINI_MCP_KILL_ROUNDS'] ?? 2);
const upstreamsPackage = fileURLToPath(new URL('../../../upstreams', import.meta.url));
const echo = fileURLToPath(new URL('testing/echo-server.mjs', import.meta.url));

let home: string;
let killable: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'upstreams-kills-'));
  killable = join(home, 'open-upstreams.mjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    conditions: ['@gemini-mcp/source'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    outdir: home,
    outExtension: { '.js': '.mjs' },
    entryNames: 'open-upstreams',
    // Otherwise libraries that are loaded late are begun in an order in which zod is not there yet.
    splitting: true,
    mainFields: ['module', 'main'],
    external: ['@napi-rs/keyring', 'google-auth-library', 'undici'],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'silent',
  });
});

afterAll(() => rm(home, { recursive: true, force: true }));

async function configure(word: string): Promise<void> {
  const env = { WORD: word };
  const leaver = `setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' & exec '${process.execPath}' '${echo}'`;
  const mcpServers = {
    plain: { command: process.execPath, args: [echo], env },
    shell: { command: 'sh', args: ['-c', leaver], env },
    // A launcher that stays, with a shell and the server below it.
    launched: { command: 'npx', args: ['--offline', 'mcp-server-memory'], cwd: upstreamsPackage, env },
    stubborn: { command: 'npx', args: ['--offline', '-c', `'${process.execPath}' '${stubbornServer.args[0]}'`], env },
  };
  await mkdir(join(home, '.config', 'gemini-mcp-server'), { recursive: true });
  const file = join(home, '.config', 'gemini-mcp-server', 'settings.json');
  await writeFile(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
}

describe.runIf(process.platform === 'linux')('A server that is killed', () => {
  it(
    `HUB-24: leaves no process of the servers that it speaks with after two seconds, those of npx either (${rounds} rounds)`,
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const word = randomUUID();
        await configure(word);
        const server = spawn(process.execPath, [killable], {
          stdio: ['ignore', 'pipe', 'inherit'],
          env: { HOME: home, PATH: process.env['PATH'] },
        });
        const [told] = await once(server.stdout, 'data');
        expect(JSON.parse(String(told))).toEqual(
          ['plain', 'shell', 'launched', 'stubborn'].map((name) => `${name} connected`),
        );
        expect(processesWith(word).length).toBeGreaterThanOrEqual(10);
        server.kill('SIGKILL');
        expect(await timeUntilGone(word)).toBeLessThanOrEqual(2_000);
      }
    },
    60_000 + rounds * 20_000,
  );
});
