import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, requestOf, UpstreamPlace } from '../testing/upstream-place.ts';
import { fitToolSchema } from '../tools/fit-tool-schema.ts';
import type { UpstreamServer } from '../upstream-server.ts';

const never = new AbortController().signal;
const require = createRequire(import.meta.url);
let place: UpstreamPlace;

beforeEach(async () => {
  place = new UpstreamPlace();
  await place.open();
});

afterEach(() => place.close());

const manifests = {
  context7: require.resolve('@upstash/context7-mcp/package.json'),
  everything: require.resolve('@modelcontextprotocol/server-everything/package.json'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: require.resolve('@modelcontextprotocol/server-memory/package.json'),
  'sequential-thinking': require.resolve('@modelcontextprotocol/server-sequential-thinking/package.json'),
};

/** A server of the registry, unmodified. */
function real(name: keyof typeof manifests, ...words: readonly string[]): UpstreamServer {
  return place.program(process.execPath, [join(dirname(manifests[name]), 'dist/index.js'), ...words]);
}

async function listsOf(upstream: UpstreamServer) {
  await upstream.connect(never);
  const { state, lists, listProblem } = await upstream.describe();
  expect({ state: state.type, listProblem, leftOut: lists?.leftOut }).toEqual({
    state: 'connected',
    listProblem: null,
    leftOut: [],
  });
  return lists;
}

describe('Servers of the registry', () => {
  it('filesystem: lists its tools, and reads and writes in its directory and nowhere else', async () => {
    const directory = join(place.directory, 'files');
    await mkdir(directory);
    await writeFile(join(directory, 'a.txt'), 'hello');
    const upstream = real('filesystem', directory);
    const lists = await listsOf(upstream);
    expect(lists?.tools.map(({ listed }) => listed.name)).toEqual(
      expect.arrayContaining(['read_text_file', 'write_file']),
    );
    expect(await callTool(upstream, 'read_text_file', { path: join(directory, 'a.txt') })).toBe('hello');
    await callTool(upstream, 'write_file', { path: join(directory, 'b.txt'), content: 'bye' });
    expect(await readFile(join(directory, 'b.txt'), 'utf8')).toBe('bye');
    expect(await callTool(upstream, 'read_text_file', { path: '/etc/hostname' })).toMatch(/Access denied/);
  });

  it('context7: lists its tools without a network, and Gemini can have each', async () => {
    const lists = await listsOf(real('context7'));
    expect(lists?.tools.map(({ listed }) => listed.name)).toEqual(['resolve-library-id', 'query-docs']);
    expect(lists?.tools.map(({ listed }) => fitToolSchema(listed.inputSchema).fits)).toEqual([true, true]);
  });

  it('everything: has tools, prompts, resources and templates, and its progress passes through', async () => {
    const upstream = real('everything', 'stdio');
    const lists = await listsOf(upstream);
    expect(lists?.prompts.length).toBeGreaterThan(0);
    expect(lists?.resources.some(({ isTemplate }) => isTemplate)).toBe(true);
    expect(await callTool(upstream, 'echo', { message: 'hi' })).toBe('Echo: hi');
    const told: number[] = [];
    const outcome = await upstream.request(
      requestOf(
        'tools/call',
        { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } },
        { onProgress: ({ progress }) => told.push(progress) },
      ),
      never,
    );
    expect(outcome.type).toBe('answered');
    expect(told.length).toBeGreaterThan(1);
    const [prompt] = lists?.prompts ?? [];
    const got = await upstream.request(requestOf('prompts/get', { name: prompt?.name ?? '' }), never);
    expect(got).toMatchObject({ type: 'answered', result: { messages: expect.anything() } });
  });

  it('memory: keeps the entities it receives', async () => {
    const upstream = real('memory');
    expect((await listsOf(upstream))?.tools.length).toBeGreaterThan(5);
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    await callTool(upstream, 'create_entities', { entities: [entity] });
    expect(await callTool(upstream, 'search_nodes', { query: 'Ada' })).toMatch(/writes programs/);
  });

  it('sequential-thinking: takes a thought', async () => {
    const upstream = real('sequential-thinking');
    expect((await listsOf(upstream))?.tools.map(({ listed }) => listed.name)).toEqual(['sequentialthinking']);
    const thought = { thought: 'First', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(await callTool(upstream, 'sequentialthinking', thought)).toMatch(/"thoughtNumber": 1/);
  });
});
