import {
  type CliStep,
  cliAnswer,
  cliApiFailure,
  cliEmptyResponse,
  cliLoginPrompt,
  cliOpening,
  cliStartFailure,
  readInvocations,
} from '@gemini-mcp/fake-gemini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess, ToolResult } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const tools = ['chat', 'geminiChat', 'googleSearch'] as const;
type ToolName = (typeof tools)[number];

type Damage = {
  readonly name: string;
  readonly steps: readonly CliStep[];
  /** The message for a user. */
  readonly words: string;
  readonly tools: readonly ToolName[];
};

const damaged = 'the response was damaged or incomplete';

/** One of each kind. `fake-cli-runs.test.ts` tests every exit code and output. */
const damages: readonly Damage[] = [
  { name: 'CLI-07: garbage', steps: [{ do: 'write', to: 'stdout', text: 'gar\nbage' }], words: damaged, tools },
  {
    name: 'CLI-07: text without an end',
    steps: [...cliOpening(), { do: 'text', chunks: ['half of it'] }],
    words: damaged,
    tools: ['chat', 'geminiChat'],
  },
  { name: 'CLI-08: an empty response', steps: cliEmptyResponse(), words: 'the answer was empty', tools: ['chat'] },
  { name: 'CLI-06: exit 41', steps: cliStartFailure(41), words: 'not logged in to Google', tools },
  {
    name: 'CLI-06: a crash',
    steps: [...cliOpening(), { do: 'kill-self', signal: 'SIGSEGV' }],
    words: 'crashed',
    tools: ['chat'],
  },
  {
    name: 'CLI-11: random bytes',
    steps: [{ do: 'random', to: 'stdout', bytes: 1_000_000 }],
    words: damaged,
    tools: ['geminiChat'],
  },
  { name: 'CLI-15: 403', steps: cliApiFailure(403, 'Permission denied.'), words: '', tools: ['geminiChat'] },
];

/** The scripted CLI distinguishes its runs by the requested model. */
function modelOf({ name }: Damage): string {
  return `gemini-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

function ask(server: ServerProcess, tool: ToolName, model: string): Promise<ToolResult> {
  return server.call(tool, { [tool === 'googleSearch' ? 'query' : 'prompt']: 'Hi', model });
}

function openingOf(tool: ToolName): RegExp {
  return tool === 'googleSearch' ? /^Gemini gave no answer: [^\n]+\.\n/ : /^Error executing gemini: [^\n]+\.\n/;
}

describe('a broken CLI, the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;
  const results = new Map<string, Promise<ToolResult>>();

  beforeAll(async () => {
    setup = await ServerSetup.create();
    const models = Object.fromEntries(damages.map((damage) => [modelOf(damage), damage.steps]));
    await setup.playCli([{ do: 'by-model', models, otherwise: cliAnswer('fine') }]);
    server = await setup.start();
    for (const damage of damages) {
      for (const tool of damage.tools) {
        results.set(`${tool} ${damage.name}`, ask(server, tool, modelOf(damage)));
      }
    }
  });

  afterAll(() => setup.dispose());

  const cases = damages.flatMap((damage) => damage.tools.map((tool) => [damage.name, tool, damage.words] as const));

  it.each(cases)('%s is a clear failure of %s', async (name, tool, words) => {
    const result = await results.get(`${tool} ${name}`);
    expect(result?.isError).toBe(true);
    expect(result?.text).toMatch(openingOf(tool));
    expect(result?.text).toContain(words);
    expect(result?.text).toContain('\nWhat to do: ');
    expect(Buffer.byteLength(result?.text ?? '')).toBeLessThanOrEqual(40_000);
    expect(result?.text).not.toMatch(/\n\s+at \S+ \(|node:internal/);
    expect(result?.meta?.['sessionId']).toBeUndefined();
  });

  it('what had come of an answer is kept', async () => {
    for (const tool of ['chat', 'geminiChat']) {
      const result = await results.get(`${tool} CLI-07: text without an end`);
      expect(result?.text).toContain('Gemini had answered so far (incomplete):\n| half of it');
    }
  });

  it('CLI-15: what another try cannot change is not tried again', async () => {
    await Promise.all(results.values());
    const runs = await readInvocations(setup.cliDirectory);
    const asked = (name: string): number => runs.filter(({ argv }) => argv.includes(`--model=${name}`)).length;
    expect(asked('gemini-cli-15-403')).toBe(1);
    expect(asked('gemini-cli-06-exit-41')).toBe(3);
  });

  it('afterwards nothing is left: no process, no file of a run, no conversation; and the next call is answered', async () => {
    await Promise.all(results.values());
    expect(await setup.leftovers()).toEqual([]);
    const { result } = await server.request('resources/read', { uri: 'gemini://sessions' });
    expect(JSON.stringify(result)).toContain('No conversations.');
    expect(await server.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ isError: false });
  });
});

describe('a CLI that does not come to an end, the built server', () => {
  let setup: ServerSetup;

  beforeAll(async () => {
    setup = await ServerSetup.create();
  });

  afterAll(() => setup.dispose());

  it('CLI-01, CLI-11, CLI-16: the call times out in the known words, keeps its text, and nothing is left', async () => {
    const models = {
      'gemini-hangs': [{ do: 'ignore-signals' }, ...cliOpening(), { do: 'text', chunks: ['so far'] }, { do: 'hang' }],
      'gemini-login': cliLoginPrompt(),
      'gemini-drip': [{ do: 'drip', to: 'stdout', text: 'x', intervalMs: 20, isEndless: true }],
    } as const;
    await setup.playCli([{ do: 'by-model', models, otherwise: [] }]);
    const server = await setup.start({ GEMINI_CLI_CHAT_TIMEOUT_MS: '2500', GEMINI_CLI_SEARCH_TIMEOUT_MS: '1500' });
    const [chat, drip, login, search] = await Promise.all([
      ask(server, 'chat', 'gemini-hangs'),
      ask(server, 'geminiChat', 'gemini-drip'),
      ask(server, 'geminiChat', 'gemini-login'),
      ask(server, 'googleSearch', 'gemini-hangs'),
    ]);
    for (const result of [chat, drip]) {
      expect(result).toMatchObject({ isError: true });
      expect(result.text).toMatch(/^Error executing gemini: CLI operation timed out after 2500ms\n/);
    }
    expect(search).toMatchObject({ isError: true });
    expect(search.text).toMatch(/^CLI operation timed out after 1500ms\n/);
    expect([chat, search].map(({ text }) => text.includes('| so far'))).toEqual([true, true]);
    // A login page says more than a timeout does.
    expect(login).toMatchObject({ isError: true });
    expect(login.text).toMatch(/^Error executing gemini: not logged in to Google\.\n/);
    expect(await setup.lastingLeftovers()).toEqual([]);
  });

  it('a missing CLI is reported with the usual text', async () => {
    const server = await setup.start({ GEMINI_MCP_CLI: '/does/not/exist/gemini' });
    const results = await Promise.all(tools.map((tool) => ask(server, tool, 'gemini-3.1-pro-preview')));
    expect(results.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(results.filter(({ text }) => text.includes('Error: gemini-cli not found in PATH'))).toHaveLength(3);
    expect(results[0]?.text).toContain('npm install -g @google/gemini-cli');
  });
});
