import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { presentTool } from '../handlers/loaded-surface.ts';
import { prepareCall } from '../handlers/run-call.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';

/** Every parameter that the wrappers document whose users come to these tools, whether tools/list shows it or not. */
const documented = {
  gemini_query: {
    prompt: 'x',
    files: ['a.ts'],
    glob_patterns: ['src/*.ts'],
    directories: ['src'],
    model: 'gemini-3.8-flash',
    timeout: 300,
    max_files: 10,
    max_bytes: 1_000,
  },
  geminiChat: {
    prompt: 'x',
    sandbox: false,
    yolo: false,
    model: 'gemini-3.8-flash',
    workingDirectory: 'src',
    apiKey: 'AIza-key',
  },
  googleSearch: {
    query: 'x',
    limit: 3,
    raw: true,
    sandbox: false,
    yolo: false,
    model: 'gemini-3.8-flash',
    workingDirectory: 'src',
    apiKey: 'AIza-key',
  },
  chat: { prompt: 'x', model: 'gemini-3.8-flash', systemPrompt: 'Be brief.', cwd: 'src' },
  'chat-reply': {
    prompt: 'x',
    sessionId: '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10',
    model: 'gemini-3.8-flash',
    systemPrompt: 'Be brief.',
    cwd: 'src',
  },
} as const;

const { tools } = new ConnectedTools();

describe.each(Object.entries(documented))('%s', (name, args) => {
  const tool = tools.find((offered) => offered.name === name);
  if (tool === undefined) {
    throw new Error(`no tool ${name}`);
  }

  it('accepts every documented parameter', async () => {
    expect(await prepareCall(tool, args, () => undefined)).toMatchObject({ isAccepted: true });
  });

  it('may be called with them by a client that checks calls by the listed schema', () => {
    const { inputSchema } = presentTool(tool);
    expect(z.fromJSONSchema(JSON.parse(JSON.stringify(inputSchema))).safeParse(args).error).toBeUndefined();
  });

  it('refuses a parameter that is not documented, by its name', async () => {
    const prepared = await prepareCall(tool, { ...args, promt: 'x' }, () => undefined);
    const text = expect.stringContaining('"promt": no such argument');
    expect(prepared).toMatchObject({ isAccepted: false, refusal: { text } });
  });
});
