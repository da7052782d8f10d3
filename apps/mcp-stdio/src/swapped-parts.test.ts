import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRequest } from '@gemini-mcp/core';
import { FakeClock, ScriptedGeminiRunner, type ScriptedRun } from '@gemini-mcp/core/testing';
import type { QuestionOutcome } from '@gemini-mcp/mcp';
import { cannotAsk, prepareCall } from '@gemini-mcp/mcp/internal';
import { createLog, partNames, readConfiguration, type ServerParts, startProcesses } from '@gemini-mcp/server';
import type { DependencyContainer } from 'tsyringe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { composeStdioServer } from './composition-root.ts';
import { PARTS, SERVER, SURFACES } from './tokens.ts';

const log = createLog({ level: 'silent', redact: (text) => text, stream: process.stderr });

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'swapped-parts-')));
  await mkdir(join(root, 'project'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Needs consent, which may have been given for good. */
const consented = { name: 'run_command', arguments: { command: 'deploy now' } };

/** A server over a scripted runner, so that nothing is asked of Google. */
function compose(): DependencyContainer {
  const environment = {
    ...{ HOME: root, GEMINI_API_KEY: 'a-key', GEMINI_MCP_STATE_DIR: join(root, 'state') },
    // Off otherwise.
    GEMINI_MCP_AUDIT: 'digest',
  };
  const { configuration } = readConfiguration({ environment, currentDirectory: join(root, 'project') });
  // Nothing listens there.
  const api = { login: { type: 'gemini-key', apiKey: 'a-key' }, geminiBaseUrl: 'http://127.0.0.1:1' } as const;
  const container = composeStdioServer({ configuration, environment, api, log });
  const script = ({ toolProviders = [] }: RunRequest): ScriptedRun => ({
    chunks: ['Because.'],
    ...(toolProviders.length > 0 && { toolSession: { rounds: [[consented]] } }),
  });
  const runner = new ScriptedGeminiRunner({ clock: new FakeClock(), script });
  container.register(PARTS.runners, { useValue: [runner] });
  return container;
}

/** Everything that a part does becomes known before it is done. */
function watched(part: object, onUse: () => void): object {
  return new Proxy(part, {
    get: (target, key) => {
      onUse();
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    apply: (target, self, args) => {
      onUse();
      return Reflect.apply(target as (...args: unknown[]) => unknown, self, args);
    },
  });
}

const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['gemini_query', { prompt: 'Why?' }],
  ['gemini_context', { prompt: 'Why?' }],
  ['gemini_review', {}],
  ['gemini_read', { handle: 'none' }],
  ['gemini_job', { handle: 'none' }],
  ['chat', { prompt: 'Why?' }],
  ['gemini_agent', { task: 'Deploy it.', mode: 'full', servers: [] }],
  ['gemini_undo', { run: 'none' }],
];

/** Calls each tool, reads each page, and ends the server. */
async function use(container: DependencyContainer): Promise<void> {
  const { configuration } = readConfiguration({ environment: { HOME: root }, currentDirectory: join(root, 'project') });
  const close = startProcesses({ configuration, log }, (name) => container.resolve(PARTS[name]));
  const { tools, resources } = await container.resolve(SURFACES)(null);
  const { signal } = new AbortController();
  const ask = async (): Promise<QuestionOutcome> => cannotAsk('transport-cannot');
  const context = { owner: 'ada', clientName: null, signal, progress: () => undefined, ask };
  for (const [name, args] of calls) {
    const tool = tools.find((each) => each.name === name);
    const prepared = tool === undefined ? null : await prepareCall(tool, args, () => undefined);
    expect(prepared).toMatchObject({ isAccepted: true });
    await (prepared?.isAccepted === true ? prepared.run(context) : null);
  }
  for (const provider of resources) {
    await provider.read('gemini://models', context);
  }
  await container.resolve(SERVER).openProjectTools();
  await close();
}

it.each(partNames)('uses the %s that is registered in the place of ours', async (name) => {
  const own: unknown = compose().resolve<ServerParts[typeof name]>(PARTS[name]);
  const container = compose();
  let isUsed = false;
  const part = watched(Object(own), () => {
    isUsed = true;
  });
  container.register<unknown>(PARTS[name], { useValue: part });
  await use(container);
  expect(isUsed).toBe(true);
});
