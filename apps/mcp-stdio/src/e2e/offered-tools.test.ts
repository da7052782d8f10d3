import { cliAnswer, readInvocations } from '@gemini-mcp/fake-gemini';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRpcMessage, ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const allTools = toolDeclarations.map(({ name }) => name).sort();
const chatsAndSearch = ['chat', 'chat-delete', 'chat-reply', 'googleSearch'];
const withoutChanges = allTools.filter((name) => !name.startsWith('chat') && name !== 'gemini_undo');

describe('which tools there are, the built server', () => {
  let setup: ServerSetup;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    await setup.playCli(cliAnswer('fine'));
  });

  afterEach(() => setup.dispose());

  async function offeredBy(server: ServerProcess): Promise<readonly string[]> {
    const { result } = await server.request('tools/list');
    const listed = result?.['tools'];
    return Array.isArray(listed) ? listed.map(({ name }: { name: string }) => name).sort() : [];
  }

  function callRaw(server: ServerProcess, name: string): Promise<JsonRpcMessage> {
    return server.request('tools/call', { name, arguments: { prompt: 'Hi', query: 'Hi' } });
  }

  it.each<[string, Readonly<Record<string, string>>, readonly string[], readonly string[]]>([
    ['all of them', {}, [], allTools],
    ['those of a group and of a name', { GEMINI_MCP_TOOLS: 'conversation,googleSearch' }, [], chatsAndSearch],
    ['those of --tools', {}, ['--tools', 'geminiChat'], ['geminiChat']],
    ['only tools that change nothing, with --read-only', {}, ['--read-only'], withoutChanges],
  ])('%s are offered, and the others unknown', async (_, environment, flags, offered) => {
    const server = await setup.start(environment, { flags });
    expect(await offeredBy(server)).toEqual(offered);
    for (const dropped of allTools.filter((name) => !offered.includes(name))) {
      const { error, result } = await callRaw(server, dropped);
      expect(result).toBeUndefined();
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/^Unknown tool\. The tools are: /) });
    }
    for (const name of ['__proto__', 'constructor', 'toString', '', 'gemini_query\n', 'x'.repeat(1_000_000)]) {
      const { error } = await callRaw(server, name);
      expect(error?.code).toBe(-32602);
      expect(error?.message.length).toBeLessThan(1_000);
    }
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it.each([
    ['unless it is allowed', {}],
    ['with GEMINI_MCP_READ_ONLY, though it is allowed', { GEMINI_MCP_ALLOW_YOLO: '1', GEMINI_MCP_READ_ONLY: '1' }],
  ])('yolo is refused %s', async (_, environment) => {
    const server = await setup.start(environment);
    const answers = [
      await server.call('geminiChat', { prompt: 'Hi', yolo: true }),
      await server.call('geminiChat', { prompt: 'Hi', yolo: true, background: true }),
      await server.call('googleSearch', { query: 'Hi', yolo: true }),
    ];
    for (const { isError, text } of answers) {
      expect(isError).toBe(true);
      expect(text).toMatch(/^Error executing gemini: yolo is not allowed on this server\./);
    }
    expect(await readInvocations(setup.cliDirectory)).toEqual([]);
  });

  it('yolo runs where the operator allows it, and geminiChat then says that it may change things', async () => {
    const server = await setup.start({ GEMINI_MCP_ALLOW_YOLO: '1' });
    const { result } = await server.request('tools/list');
    const chat = JSON.stringify(result?.['tools'])
      .split('"name":')
      .find((text) => text.startsWith('"geminiChat"'));
    expect(chat).toContain('"destructiveHint":true');
    expect(await server.call('geminiChat', { prompt: 'Hi', yolo: true })).toMatchObject({ isError: false });
  });

  it('a tool that does not exist is a wrong setting, told at the start', async () => {
    const server = setup.spawn({ GEMINI_MCP_TOOLS: 'gemini_query,write_file' });
    expect(await server.ended).toEqual({ exitCode: 2, signal: null });
    expect(server.stderr).toContain('GEMINI_MCP_TOOLS');
  });
});
