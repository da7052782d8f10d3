import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  apiError,
  cut,
  empty,
  type JsonRecord,
  noFinish,
  type RecordedRequest,
  type Reply,
  text,
  toolCall,
} from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { resultsIn, useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace('warm');

const canary = 'CANARY-of-another-call';

const history = [
  { role: 'user', text: `${canary} asked` },
  { role: 'model', text: `${canary} answered` },
] as const;

const picture = { path: 'a.png', mediaType: 'image/png', bytes: new TextEncoder().encode(canary) };

type Call = readonly [name: string, args: JsonRecord];

/** A model that makes these calls, one after the other, and then says `done`. */
function calling(calls: readonly Call[]) {
  return (_: RecordedRequest, index: number): Reply => {
    const call = calls[index];
    return call === undefined ? text('done') : toolCall(...call);
  };
}

/** Patterns that lead out of a session's directory. */
function namesOutside(root: string): readonly string[] {
  const detours = [
    '../**/*',
    './../*/*',
    'x/../../**/*',
    '{..,x}/**/*',
    '{.,x}{.,x}/**/*',
    '.{.,x}/**/*',
    '.{x,}./**/*',
  ];
  const disguises = ['\\.\\./**/*', `{x,${root}}/**/*`, `{x,}${root}/**/*`, `{,x}${root}/**/*`, '{x/.,x}./../**/*'];
  return [...detours, ...disguises, `${root}/**/*`, '/proc/self/environ', '/proc/[s]elf/environ'];
}

/** Every file of the processes, by its path, but for what Node has compiled of the CLI. */
async function filesOfProcesses(): Promise<readonly string[]> {
  const runs = given.place.at('runs');
  const entries = await readdir(runs, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => !path.startsWith(join(runs, 'compiled') + sep));
}

/** Those that hold the canary in their name or in their contents. */
async function traces(): Promise<readonly string[]> {
  const found = await Promise.all(
    (await filesOfProcesses()).map(async (path) => ({ path, whole: path + (await readFile(path, 'utf8')) })),
  );
  const encoded = Buffer.from(canary).toString('base64').slice(0, -4);
  return found.filter(({ whole }) => whole.includes(canary) || whole.includes(encoded)).map(({ path }) => path);
}

describe('on the disk of a process that stays', () => {
  it('nothing is left of a call, however it ends', async () => {
    const replies: readonly Reply[] = [
      text(`${canary} is the answer`),
      apiError({ code: 500, message: canary, status: 'INTERNAL' }),
      empty(),
      noFinish([canary]),
      cut([canary]),
    ];
    for (const reply of replies) {
      given.api.reply(reply);
      await given.place.run({ input: canary });
      await given.place.run({ input: canary, history, media: [picture] });
      expect(await traces()).toEqual([]);
    }
    expect(await readdir(given.place.at('runs'))).toHaveLength(1);
  });

  it('nothing is left of a call that is cancelled while it is answered', async () => {
    const controller = new AbortController();
    let tellAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve;
    });
    given.api.reply(() => {
      tellAsked();
      return text([canary, { text: 'never', after: new Promise(() => undefined) }]);
    });
    const running = given.place.run({ input: canary, history }, controller.signal);
    await asked;
    controller.abort();
    expect((await running).failure).toEqual({ kind: 'cancelled' });
    expect(await traces()).toEqual([]);
  });

  it('nothing is left of a directory, nor of what the tools found in it', async () => {
    await given.place.write({ 'project/a.txt': canary, 'project/long.txt': `${canary}\n`.repeat(20_000) });
    given.api.reply(
      calling([
        ['read_file', { file_path: 'long.txt' }],
        ['grep_search', { pattern: 'CANARY' }],
        ['glob', { pattern: '**/*' }],
      ]),
    );
    const { requests } = await given.place.run({
      tools: 'read-only',
      directory: given.place.at('project'),
      roots: [given.place.root],
    });
    expect(resultsIn(requests)[0]).toContain(canary);
    expect(await traces()).toEqual([]);
    const processes = await readdir(given.place.at('runs'));
    const copies = processes.map((name) => readdir(given.place.at('runs', name, 'directories')));
    expect((await Promise.all(copies)).flat()).toEqual([]);
  });
});

describe('the tools of a session', () => {
  it('reach nothing of another session, nor of the process', async () => {
    await given.place.write({ 'mine/a.txt': 'visible', 'theirs/b.txt': canary });
    const settings = { tools: 'read-only', roots: [given.place.root] } as const;
    given.api.reply(calling([['read_file', { file_path: 'b.txt' }]]));
    const kept = { ...settings, directory: given.place.at('theirs'), input: canary, mayContinue: true };
    await given.place.run(kept);
    // The other conversation goes on: its copy and its chat are there.
    const held = await traces();
    expect(held.filter((path) => path.includes('chats'))).toHaveLength(1);
    expect(held.filter((path) => path.endsWith('b.txt'))).toHaveLength(1);

    const [process = ''] = await readdir(given.place.at('runs'));
    const root = given.place.at('runs', process);
    const files = await filesOfProcesses();
    const directories = [root, `${root}/home/.gemini`, `${root}/directories`, `${root}/home/.gemini/tmp`, '..', '/'];
    const calls: readonly Call[] = [
      ['read_file', { file_path: 'a.txt' }],
      ...files.map((file_path): Call => ['read_file', { file_path }]),
      ['read_file', { file_path: '../../policy.toml' }],
      ['read_file', { file_path: '/proc/self/environ' }],
      ...directories.flatMap((dir_path): readonly Call[] => [
        ['list_directory', { dir_path }],
        ['grep_search', { pattern: 'CANARY|selectedType|decision', dir_path }],
        ['glob', { pattern: '**/*', dir_path }],
      ]),
      ...namesOutside(root).flatMap((names): readonly Call[] => [
        ['glob', { pattern: names }],
        ['grep_search', { pattern: 'CANARY|KEY=', include_pattern: names }],
        // What grep takes for no pattern is searched for by the CLI itself, in whatever files the other one names.
        ['grep_search', { pattern: 'CANARY|KEY=|[[.]', include_pattern: names }],
      ]),
      ['grep_search', { pattern: `-f${root}/policy.toml` }],
    ];
    given.api.reply(calling(calls));
    const { failure, requests } = await given.place.run({ ...settings, directory: given.place.at('mine') });
    expect(failure).toBeNull();
    const results = resultsIn(requests);
    expect(results).toHaveLength(calls.length);
    expect(results[0]).toContain('visible');
    const allowed = results.slice(1).map((result, index) => ({ call: calls[index + 1], result }));
    expect(allowed.filter(({ result }) => !result.includes('"response":{"error":'))).toEqual([]);
    expect(results.join()).not.toMatch(/of-another-call|GEMINI_API_KEY=/);
    expect(await readdir(given.place.at('runs'))).toEqual([process]);
  });
});
