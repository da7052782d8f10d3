import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realServer } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('other servers, offered on by the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  const start = (offer: string, more: Readonly<Record<string, string>> = {}): ServerProcess =>
    setup.spawn({
      GEMINI_MCP_SERVERS_FILE: join(setup.root, 'servers.json'),
      GEMINI_MCP_OFFER_SERVERS: offer,
      ...more,
    });

  async function namesIn(server: ServerProcess, list: 'tools' | 'prompts'): Promise<readonly string[]> {
    const { result } = await server.request(`${list}/list`);
    const listed = result?.[list];
    return Array.isArray(listed) ? listed.map(({ name }: { name: string }) => name) : [];
  }

  /** The new lists after a change notice, unless they have arrived by then. */
  async function untilListed(server: ServerProcess, name: string): Promise<readonly string[]> {
    const told = server.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
    const names = await namesIn(server, 'tools');
    if (names.includes(name)) {
      return names;
    }
    await server.until(
      () => server.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length > told,
    );
    return await untilListed(server, name);
  }

  it('tools, prompts and resources of server-everything arrive, and its questions at the user', async () => {
    await setup.writeServers({ everything: realServer('everything') });
    const server = start('all');
    server.answerRequests('elicitation/create', () => ({ action: 'accept', content: { field1: 'Ada Lovelace' } }));
    const { result } = await server.initialize('e2e', { elicitation: {} });
    expect(result).toMatchObject({ capabilities: { tools: { listChanged: true }, prompts: { listChanged: true } } });
    expect(await untilListed(server, 'everything__get-sum')).toContain('gemini_query');

    const call = async (tool: string, args: object = {}) =>
      (
        await server.request('tools/call', {
          name: `everything__${tool}`,
          arguments: args,
          _meta: { progressToken: tool },
        })
      ).result;
    expect(await call('get-sum', { a: 2, b: 3 })).toMatchObject({ content: [{ text: 'The sum of 2 and 3 is 5.' }] });
    expect(await call('get-sum', { a: 'x' })).toMatchObject({ isError: true });
    expect(await call('get-tiny-image')).toMatchObject({ content: [{}, { type: 'image', mimeType: 'image/png' }, {}] });
    expect(await call('get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { conditions: expect.any(String) },
    });
    const uri = 'gemini://servers/everything/demo://resource/dynamic/text/1';
    expect(await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toMatchObject({
      content: [{}, { type: 'resource', resource: { uri } }, {}],
    });
    expect((await server.request('resources/read', { uri })).result).toMatchObject({ contents: [{ uri }] });
    await call('trigger-long-running-operation', { duration: 0.5, steps: 2 });
    const progress = server.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params?.['message'])).toContain('everything: 1 of 2');
    expect(JSON.stringify(await call('trigger-elicitation-request'))).toContain('Ada Lovelace');
    const [question] = server.messages.filter(({ method }) => method === 'elicitation/create');
    expect(question?.params?.['message']).toMatch(/^The MCP server "everything" asks: /);

    expect(await namesIn(server, 'prompts')).toContain('everything__args-prompt');
    const suggested = async (params: Readonly<Record<string, unknown>>) =>
      (await server.request('completion/complete', params)).result;
    expect(
      await suggested({
        ref: { type: 'ref/prompt', name: 'everything__completable-prompt' },
        argument: { name: 'name', value: 'E' },
        context: { arguments: { department: 'Sales' } },
      }),
    ).toMatchObject({ completion: { values: ['Eve'] } });
    const template = 'gemini://servers/everything/demo://resource/dynamic/text/{resourceId}';
    expect(
      await suggested({ ref: { type: 'ref/resource', uri: template }, argument: { name: 'resourceId', value: '7' } }),
    ).toMatchObject({ completion: { values: ['7'] } });
    const asked = (name: string, args: object) =>
      server.request('prompts/get', { name: `everything__${name}`, arguments: args });
    expect((await asked('resource-prompt', { resourceType: 'Text', resourceId: '1' })).result).toMatchObject({
      messages: [{ content: { type: 'text' } }, { content: { type: 'resource', resource: { uri } } }],
    });
    expect((await asked('resource-prompt', { resourceType: 'x', resourceId: '1' })).error?.message).toMatch(
      /^The server everything refused:\n\| /,
    );
  });

  it('the tools of four servers are found and called, and a page lists the servers', async () => {
    await setup.writeServers({
      everything: realServer('everything'),
      files: realServer('filesystem', setup.project),
      memory: { ...realServer('memory'), env: { MEMORY_FILE_PATH: join(setup.root, 'memory.json') } },
      thinking: realServer('sequential-thinking'),
    });
    await writeFile(join(setup.project, 'canary.txt'), 'the canary in the file');
    const server = start('all');
    await server.initialize();
    await untilListed(server, 'call_tool');
    const found = await server.call('find_tools', { query: 'read a file as text', server: 'files' });
    expect(found.text).toMatch(/files__read_text_file: .*\n {2}Arguments: \{"type":"object"/);
    const call = (name: string, args: object) => server.call('call_tool', { name, arguments: args });
    const read = await call('files__read_text_file', { path: join(setup.project, 'canary.txt') });
    expect(read).toMatchObject({ isError: false, text: expect.stringContaining('the canary in the file') });
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }];
    await call('memory__create_entities', { entities });
    expect((await call('memory__search_nodes', { query: 'Ada' })).text).toContain('counts');
    const thought = { thought: 'x', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(await call('thinking__sequentialthinking', thought)).toMatchObject({ isError: false });
    const page = await server.request('resources/read', { uri: 'gemini://servers' });
    expect(JSON.stringify(page.result)).toMatch(/everything: connected \(stdio\).*memory: connected/);
  });

  it('are absent unless enabled, and change with the settings', async () => {
    await setup.writeServers({
      everything: realServer('everything'),
      off: { ...realServer('memory'), enabled: false },
    });
    const silent = start('none');
    const { result } = await silent.initialize();
    expect(result).toMatchObject({ capabilities: { tools: {} } });
    expect((await namesIn(silent, 'tools')).filter((name) => name.includes('__'))).toEqual([]);
    const page = await silent.request('resources/read', { uri: 'gemini://servers' });
    expect(JSON.stringify(page.result)).toMatch(/everything: not connected.*off: off \(stdio\).*mcp enable/);

    const server = start('everything,memory__read_graph');
    await server.initialize();
    const names = await untilListed(server, 'everything__echo');
    expect(names).not.toContain('memory__read_graph');
    const memory = { ...realServer('memory'), env: { MEMORY_FILE_PATH: join(setup.root, 'memory.json') } };
    await setup.writeServers({ everything: realServer('everything'), memory });
    await server.call('everything__echo', { message: 'x' });
    const changed = await untilListed(server, 'memory__read_graph');
    expect(changed.filter((name) => name.startsWith('memory'))).toEqual(['memory__read_graph']);
  });
});
