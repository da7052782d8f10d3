// Six clients on a new machine: one line sets them all up from the registry, each shows its model an answer of Gemini, and a long answer to its end.
// The clients are real, their models are scripts, and nothing but npm leaves this machine. Prints what a user would see.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOfflineGeminiApi, text } from '../packages/port-contracts/dist/offline-api/index.js';
import { claudeCode } from '../scripts/clients/claude-code.mjs';
import { codex } from '../scripts/clients/codex.mjs';
import { copilotCli } from '../scripts/clients/copilot-cli.mjs';
import { geminiCli } from '../scripts/clients/gemini-cli.mjs';
import { opencode } from '../scripts/clients/opencode.mjs';
import { qwenCode } from '../scripts/clients/qwen-code.mjs';
import { readWhole, sawWhole } from '../scripts/clients/read-whole.mjs';
import { publishedPackages } from '../scripts/published-packages.mjs';
import { rootDirectory } from '../scripts/run-step.mjs';
import { declaration } from './declaration.mjs';
import { startRegistry } from './loopback-registry.mjs';
import { packPackages } from './npm-packages.mjs';

const { name } = declaration;
const clients = [claudeCode, codex, geminiCli, copilotCli, opencode, qwenCode];

const longAnswer = Array.from({ length: 10_000 }, (_, index) => `line ${index}: const "name" = '\u654f\u6377';`)
  .join('\n')
  .slice(0, 300_000);

let root;
let registry;
let api;
let environment;
const commands = new Map();

/** Programs on PATH may not lie where others can write, as in the directory for temporary files. */
const programs = join(rootDirectory, 'node_modules/.cache/release', `programs-${process.pid}`);

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-mcp-clients-')));
  for (const directory of ['home', 'project'].map((each) => join(root, each))) {
    mkdirSync(directory);
  }
  registry = await startRegistry(join(root, 'registry'));
  await publish();
  api = await startOfflineGeminiApi();
  const { GOOGLE_GEMINI_BASE_URL } = api.environment();
  const path = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const npm = { npm_config_registry: registry.url, npm_config_update_notifier: 'false' };
  environment = { PATH: path, HOME: join(root, 'home'), GOOGLE_GEMINI_BASE_URL, ...npm };
  mkdirSync(programs, { recursive: true });
  for (const client of clients) {
    const command = await client.fetch();
    commands.set(client, command);
    symlinkSync(command, join(programs, client.program));
  }
}, 900_000);

afterAll(async () => {
  await Promise.all([registry?.close(), api?.close()]);
  for (const directory of [root, programs]) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
});

async function publish() {
  const chosen = publishedPackages.filter(({ manifest }) => manifest.name === name);
  const tarballs = await packPackages(join(root, 'npm'), chosen);
  const token = registry.npmrc.split('\n').find((line) => line.startsWith('//'));
  const [key, value] = token.split('=');
  await execa('npm', ['publish', tarballs.get(name), `--registry=${registry.url}`, `--${key}=${value}`]);
}

/** Runs `npx -y gemini-mcp-server`, as a user does who has never had it. */
async function runServer(args, input = '') {
  const options = { cwd: join(root, 'project'), env: environment, extendEnv: false, input, reject: false };
  const { stdout, stderr, exitCode } = await execa('npx', ['-y', name, ...args], options);
  console.log(`$ npx -y ${[name, ...args].join(' ')}\n${stdout}\n${stderr}`);
  return { stdout, stderr, exitCode };
}

/** Asks a client, whose model asks Gemini. Resolves to what the model saw. */
async function ask(client, reply) {
  api.reply(reply);
  const reader = readWhole();
  const model = await client.startModel({ nextCall: reader.nextCall, api, reply });
  try {
    const options = { command: commands.get(client), project: join(root, 'project'), modelUrl: model.url, environment };
    const { exitCode, stdout, stderr } = await client.ask(options);
    const results = reader.results.map((result, index) => `--- result ${index}\n${shorten(result)}`);
    console.log(`$ ${client.program}: Ask Gemini.\n${results.join('\n')}\n--- shown\n${stdout.slice(-1_500)}`);
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
    return reader;
  } finally {
    await model.close();
  }
}

function shorten(result) {
  return result.length <= 500 ? result : `${result.slice(0, 200)} … ${result.slice(-200)}`;
}

it('npx stores a key and sets up every client on PATH', { timeout: 200_000 }, async () => {
  const { GEMINI_API_KEY } = api.environment();
  expect(await runServer(['login', '--store=file'], GEMINI_API_KEY)).toMatchObject({ exitCode: 0, stderr: '' });
  const { stdout, exitCode } = await runServer(['setup']);
  expect(exitCode).toBe(0);
  const added = [...stdout.matchAll(/^(\S+) +added /gm)].map(([, client]) => client);
  expect(added.sort()).toEqual(clients.map((client) => client.name).sort());
});

describe.each(clients.map((client) => [client.name, client]))('%s', { timeout: 400_000 }, (_, client) => {
  it('shows its model the first answer and its account, by the stored key', async () => {
    const { results } = await ask(client, text('The answer of Gemini.'));
    expect(results[0]).toMatch(/The answer of Gemini\.\s+(?:<\/?untrusted_context>\s+)*Model: /);
    const { GEMINI_API_KEY } = api.environment();
    const asked = api.requests.filter(({ userText }) => userText.join('').includes('Hello'));
    expect(asked.map(({ apiKey }) => apiKey)).toContain(GEMINI_API_KEY);
  });

  it('shows its model 300,000 characters, page by page as each result says', async () => {
    const reader = await ask(client, text(longAnswer));
    expect(reader.offsets.length).toBeGreaterThan(5);
    expect(sawWhole(longAnswer, reader)).toBe(true);
  });
});
