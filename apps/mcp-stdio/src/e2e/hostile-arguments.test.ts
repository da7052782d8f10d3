import { text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('hostile arguments, the built server', () => {
  let setup: ServerSetup;
  let server: ServerProcess;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    server = await setup.start();
  });

  afterAll(() => setup.dispose());

  it('ARGV-01, CONTENT-04: prompts that look like flags and commands arrive as they are', async () => {
    setup.api.reply(text('ok'));
    const prompts = ['--approval-mode=yolo', '--yolo', '-', '-x', '/quit', '@/etc/hosts'];
    const answers = await Promise.all(prompts.map((prompt) => server.query({ prompt })));
    expect(answers.map(({ isError }) => isError)).toEqual(prompts.map(() => false));
    const lines = setup.api.requests.flatMap((request) => (request.userText.at(-1) ?? '').split('\n'));
    expect(lines).toEqual(expect.arrayContaining(prompts));
    expect(server.stderr).not.toContain('YOLO');
  });

  it('ARGV-04: a prompt of 200,000 characters arrives whole', async () => {
    setup.api.reply(text('ok'));
    const prompt = 'x'.repeat(200_000);
    expect(await server.query({ prompt })).toMatchObject({ isError: false });
    expect(setup.api.requests.at(-1)?.userText.at(-1)).toBe(prompt);
  });

  it('STDIO-06: odd ids, unknown methods and a flood of pings get the right answers', async () => {
    const before = server.messages.length;
    server.write('{"jsonrpc":"2.0","id":null,"method":"ping"}\n{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n');
    server.write(`{"jsonrpc":"2.0","id":${2 ** 60},"method":"ping"}\n{"jsonrpc":"2.0","id":"","method":"ping"}\n`);
    server.write('not json\n[]\n{"jsonrpc":"2.0","id":"u","method":"no/such"}\n');
    server.write(
      Array.from({ length: 10_000 }, (_, index) => `{"jsonrpc":"2.0","id":"p${index}","method":"ping"}\n`).join(''),
    );
    await server.until(() => server.messages.length >= before + 10_007);
    const answers = server.messages.slice(before);
    const codes = answers.flatMap((answer) => (answer.error === undefined ? [] : [answer.error.code]));
    expect(codes.sort()).toEqual([-32600, -32600, -32600, -32600, -32601, -32700]);
    const pongs = answers.flatMap(({ id }) => (typeof id === 'string' && id.startsWith('p') ? [id] : []));
    expect(pongs).toEqual(Array.from({ length: 10_000 }, (_, index) => `p${index}`));
  });

  it('STDIO-04: all that ever stood on stdout was messages of the protocol', () => {
    expect(server.messages.length).toBeGreaterThan(10_000);
    expect(server.stderr).toContain('"event":"cli-found"');
  });
});
