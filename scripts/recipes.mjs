// The recipes of CONTRIBUTING.md as programs: each adds an example in a copy of the tree, by edits at the places that the recipe names.
// `recipes.nightly.test.mjs` follows them, checks types, lint and tests of the result, and counts the files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const tools = 'packages/mcp/src/tools';
const settings = 'packages/server/src/settings';
const composition = 'packages/server/src/composition';
const runner = 'packages/adapters-api/src/echo/echo-gemini-runner.ts';
const store = 'packages/adapters-node/src/storage/shared-record-store.ts';

/**
 * `most` is the most files that the recipe may touch besides those of `own`, which hold the new thing and its tests. `generated` are the
 * files that its tests write with `--update`.
 */
export const recipes = [
  {
    name: 'a tool',
    most: 5,
    own: [`${tools}/gemini-time-tool.ts`, `${tools}/gemini-time-tool.test.ts`],
    generated: [`${tools}/__snapshots__/gemini_time.snap`, 'docs/configuration.md', 'docs/tools.md'],
    create: {
      [`${tools}/gemini-time-tool.ts`]: `import type { Clock } from '@gemini-mcp/core';
import * as z from 'zod';
import type { Tool } from '../surface/tool.ts';
import { geminiTime } from './tool-declarations.ts';

/** Makes the tool \`gemini_time\`: nothing to the time of the server. */
export function createGeminiTimeTool({ clock }: { readonly clock: Clock }): Tool {
  return {
    ...geminiTime,
    description: 'Says what time it is.',
    input: z.strictObject({}),
    run: async () => ({ text: new Date(clock.now()).toISOString(), isError: false }),
  };
}
`,
      [`${tools}/gemini-time-tool.test.ts`]: `import { expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

it('gemini_time is listed, and says the time of the server', async () => {
  const connected = new ConnectedTools();
  const { tools } = await (await connected.connect()).listTools();
  expect(tools.map(({ name }) => name)).toContain('gemini_time');
  const { text, isError } = await connected.call('gemini_time', {});
  expect({ text, isError }).toEqual({ text: new Date(connected.clock.now()).toISOString(), isError: false });
});
`,
    },
    edit: [
      {
        path: `${tools}/tool-declarations.ts`,
        before: 'export const googleSearch: ToolDeclaration = {',
        text: `export const geminiTime: ToolDeclaration = {
  name: 'gemini_time',
  title: 'See the time of the server',
  group: 'query',
  restPath: 'gemini-time',
  scopes: { always: [], byArgument: {} },
  example: {},
  annotations: looking,
};

`,
      },
      { path: `${tools}/tool-declarations.ts`, before: '  googleSearch,\n];', text: '  geminiTime,\n' },
      {
        path: `${tools}/create-tools.ts`,
        before: "import { createGoogleSearchTool } from './google-search-tool.ts';",
        text: "import { createGeminiTimeTool } from './gemini-time-tool.ts';\n",
      },
      {
        path: `${tools}/create-tools.ts`,
        before: '    createGoogleSearchTool({',
        text: '    createGeminiTimeTool(options),\n',
      },
      {
        path: `${tools}/tool-conventions.test.ts`,
        find: 'const budgetTokens = ',
        replacement: 'const budgetTokens = 60 + ',
      },
      {
        path: 'README.md',
        before: '| [`googleSearch`](',
        text: '| [`gemini_time`](docs/tools.md) | see the time of the server |\n',
      },
    ],
    tests: [
      `${tools}/gemini-time-tool.test.ts`,
      `${tools}/tool-conventions.test.ts`,
      `${tools}/tool-reference.test.ts`,
      `${settings}/settings-reference.test.ts`,
      'apps/mcp-http/src/rest/open-api-document.test.ts',
    ],
  },
  {
    name: 'a setting',
    most: 4,
    own: [`${composition}/server-queue.test.ts`],
    generated: ['docs/configuration.md', `${settings}/setting-lists.test.ts`],
    create: {
      [`${composition}/server-queue.test.ts`]: `import { expect, it } from 'vitest';
import { readConfiguration } from '../settings/read-configuration.ts';
import { partFactories, type ServerOptions } from './server-parts.ts';

it.each([
  ['1', false],
  ['0', true],
])('GEMINI_MCP_NO_WAITING=%s decides whether a call may wait', (value, mayWait) => {
  const environment = { HOME: '/home/ada', GEMINI_MCP_MAX_RUNNING: '1', GEMINI_MCP_NO_WAITING: value };
  const { configuration } = readConfiguration({ environment, currentDirectory: '/' });
  const options = { configuration, hasSeveralOwners: false } as ServerOptions;
  const queue = partFactories.queue(() => {
    throw new Error('The queue needs no other part.');
  }, options);
  expect(queue.enter('ada')).not.toBeNull();
  expect(queue.enter('ada') !== null).toBe(mayWait);
});
`,
    },
    edit: [
      {
        path: `${settings}/server-settings.ts`,
        before: '  profile: setting({',
        text: `  /** Whether calls are refused that would have to wait. */
  refusesToWait: setting({
    variable: 'GEMINI_MCP_NO_WAITING',
    flag: 'no-waiting',
    group: 'Size',
    type: types.onOrOff,
    default: false,
    description: '\`1\` or \`0\`. With \`1\`, calls that would have to wait are refused as \`busy\`.',
  }),
`,
      },
      {
        path: `${composition}/server-parts.ts`,
        before: ', hasSeveralOwners });\n}',
        text: ': configuration.refusesToWait ? 0 : maxQueued',
      },
    ],
    tests: [
      `${composition}/server-queue.test.ts`,
      `${settings}/settings-reference.test.ts`,
      `${settings}/setting-lists.test.ts`,
    ],
  },
  {
    name: 'a runner',
    most: 3,
    own: [runner, `${composition}/echo-runner.test.ts`],
    generated: [],
    create: {
      [runner]: `import type { GeminiRunner, RunEvent, RunnerCapabilities, RunRequest } from '@gemini-mcp/core';
import { apiCapabilities } from '../api-capabilities.ts';

/** Answers with the message that it gets. */
export class EchoGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = {
    ...apiCapabilities(null),
    name: 'echo',
    backend: { by: 'Echo' },
    needsKeyOfCall: false,
    usage: false,
    tokenCount: false,
  };

  async *run({ input }: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    signal.throwIfAborted();
    yield { type: 'text', text: input };
    yield { type: 'answer', ending: null };
  }
}
`,
      [`${composition}/echo-runner.test.ts`]: `import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cannotAsk, prepareCall } from '@gemini-mcp/mcp/internal';
import { expect, it } from 'vitest';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import { fileAccessOfServer } from '../file-access/reach.ts';
import { createEarlyLog } from '../log/early-log.ts';
import { readConfiguration } from '../settings/read-configuration.ts';
import { composeInTest } from '../testing/compose-in-test.ts';

it('a server asks the new runner', async () => {
  const environment = { HOME: '/home/ada', GEMINI_MCP_STATE_DIR: join(tmpdir(), 'never-made') };
  const { configuration } = readConfiguration({ environment, currentDirectory: tmpdir() });
  const { surfaceOf } = composeInTest({
    configuration,
    environment,
    api: null,
    log: createEarlyLog({ level: 'silent', redact: (text) => text, stream: { write: () => undefined } }),
    failureWords: serverFailureWords,
    furtherRoots: [],
    hasSeveralOwners: false,
    privateFiles: [],
    agentModeByDefault: 'plan',
    version: '1',
    isOfOneUser: true,
  });
  const tool = surfaceOf(fileAccessOfServer(configuration)).tools.find(({ name }) => name === 'gemini_query');
  if (tool === undefined) {
    throw new Error('The server has no gemini_query.');
  }
  const prepared = await prepareCall(tool, { prompt: 'Say it back.' }, () => undefined);
  const { signal } = new AbortController();
  const ask = async () => cannotAsk('transport-cannot');
  const context = { owner: 'ada', clientName: null, signal, progress: () => undefined, ask };
  const outcome = prepared.isAccepted ? await prepared.run(context) : null;
  expect(outcome).toMatchObject({ isError: false, answer: 'Say it back.', text: expect.stringContaining('Via: Echo') });
});
`,
    },
    edit: [
      {
        path: 'packages/adapters-api/src/index.ts',
        before: 'export { type ApiVariables, findApiLogin }',
        text: "export { EchoGeminiRunner } from './echo/echo-gemini-runner.ts';\n",
      },
      {
        path: 'packages/gemini/src/runners/create-runners.ts',
        before: " } from '@gemini-mcp/adapters-api';",
        text: ', EchoGeminiRunner',
      },
      {
        path: 'packages/gemini/src/runners/create-runners.ts',
        before: '    ...(access !== null && fault === undefined',
        text: '    new EchoGeminiRunner(),\n',
      },
      { path: 'docs/exports/adapters-api.txt', before: 'function findApiLogin', text: 'class EchoGeminiRunner\n' },
    ],
    tests: [`${composition}/echo-runner.test.ts`],
  },
  {
    name: 'a store',
    most: 3,
    own: [store, store.replace('.ts', '.contract.test.ts'), `${composition}/shared-store.test.ts`],
    generated: [],
    create: {
      [store]: `import {
  type Clock,
  type DeleteResult,
  InMemoryRecordStore,
  type ListedRecord,
  type RecordKind,
  type RecordPlace,
  type RecordStore,
  type RecordToPut,
  type SaveResult,
  type StoredRecord,
} from '@gemini-mcp/core';

const places = new Map<string, InMemoryRecordStore>();

/** Records that all stores of one process share, by the name of their place. */
export class SharedRecordStore implements RecordStore {
  readonly #records: InMemoryRecordStore;

  constructor({ clock, place }: { readonly clock: Pick<Clock, 'now'>; readonly place: string }) {
    this.#records = places.get(place) ?? new InMemoryRecordStore(clock);
    places.set(place, this.#records);
  }

  get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | null> {
    return this.#records.get(place, signal);
  }

  put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    return this.#records.put(record, signal);
  }

  list(place: Omit<RecordPlace, 'key'>, limit: number, signal: AbortSignal): Promise<readonly ListedRecord[]> {
    return this.#records.list(place, limit, signal);
  }

  delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult> {
    return this.#records.delete(place, signal);
  }

  owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]> {
    return this.#records.owners(kind, signal);
  }

  watch(place: RecordPlace, version: number, signal: AbortSignal): Promise<void> {
    return this.#records.watch(place, version, signal);
  }
}
`,
      [store.replace('.ts', '.contract.test.ts')]: `import { randomUUID } from 'node:crypto';
import { describeRecordStoreContract } from '@gemini-mcp/port-contracts';
import { SharedRecordStore } from './shared-record-store.ts';

describeRecordStoreContract({
  name: 'SharedRecordStore',
  features: { failures: false, damage: false, laterFormats: false },
  create: async (clock) => {
    const place = randomUUID();
    const reopen = () => new SharedRecordStore({ clock, place });
    return { store: reopen(), reopen, dispose: async () => undefined };
  },
});
`,
      [`${composition}/shared-store.test.ts`]: `import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { expect, it } from 'vitest';
import { createAnswerStore, createLocalRecordStore } from './create-stores.ts';

it('a server keeps its answers in the new store', async () => {
  const stateDirectory = join(tmpdir(), 'never-made');
  const clock = new SystemClock();
  const open = () => createAnswerStore({ records: createLocalRecordStore({ stateDirectory }, clock, () => undefined), clock });
  const { signal } = new AbortController();
  await open().save({ owner: 'ada', title: 'Why?', text: 'Because.' }, signal);
  expect(await open().list('ada', 10, signal)).toMatchObject([{ title: 'Why?' }]);
  expect(existsSync(stateDirectory)).toBe(false);
});
`,
    },
    edit: [
      {
        path: 'packages/adapters-node/src/index.ts',
        before: 'export { NodeExecutor, type NodeExecutorOptions }',
        text: "export { SharedRecordStore } from './storage/shared-record-store.ts';\n",
      },
      {
        path: `${composition}/create-stores.ts`,
        find: 'import { FileRecordStore, type Quarantined }',
        replacement: 'import { type Quarantined, SharedRecordStore }',
      },
      {
        path: `${composition}/create-stores.ts`,
        find: '  onQuarantine: (quarantined',
        replacement: '  _: (quarantined',
      },
      {
        path: `${composition}/create-stores.ts`,
        find: 'new FileRecordStore({ directory, clock, onQuarantine })',
        replacement: 'new SharedRecordStore({ clock, place: directory })',
      },
      { path: 'docs/exports/adapters-node.txt', before: 'class SystemClock', text: 'class SharedRecordStore\n' },
    ],
    tests: [store.replace('.ts', '.contract.test.ts'), `${composition}/shared-store.test.ts`],
  },
];

/** Follows a recipe by hand in a copy of the tree; throws if a place that it names is not in the file, or twice. */
export function follow({ name, create, edit }, copy) {
  for (const [path, text] of Object.entries(create)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text, { flag: 'wx' });
  }
  for (const { path, before, text, find = before, replacement = text + before } of edit) {
    const parts = readFileSync(join(copy, path), 'utf8').split(find);
    if (parts.length !== 2) {
      throw new Error(
        `The recipe for ${name} needs this once in ${path}, and finds it ${parts.length - 1} times: ${find}`,
      );
    }
    writeFileSync(join(copy, path), parts.join(replacement));
  }
}

/** The files that a recipe touches besides the new thing and its tests: those edited by hand, then those that tests write. */
export function filesOf({ edit, generated }) {
  return { edited: [...new Set(edit.map(({ path }) => path))].sort(), generated: [...generated].sort() };
}

/** The table of CONTRIBUTING.md. */
export function tableOfRecipes() {
  const code = (paths) => paths.map((path) => `\`${path.replace(/\/[^/]*\.snap$/, '')}\``).join(', ') || 'none';
  const rows = recipes.map((recipe) => {
    const { edited, generated } = filesOf(recipe);
    return `| ${recipe.name} | ${edited.length}: ${code(edited)} | ${code(generated)} |`;
  });
  return ['| To add | Edit, besides its own files | Written by tests with `--update` |', '|---|---|---|', ...rows].join(
    '\n',
  );
}
