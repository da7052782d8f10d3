import { describe, expect, it } from 'vitest';
import { ConnectedTools } from './testing/connected-tools.ts';

describe('geminiChat', () => {
  it('runs with read-only tools on the working directory of the server', async () => {
    const tools = new ConnectedTools();
    expect(await tools.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ text: 'The answer.', isError: false });
    expect(tools.runner.requests[0]?.settings).toEqual({
      systemPrompt: null,
      tools: 'read-only',
      directory: '/project',
      directoryIsOptional: true,
      apiKey: null,
      sandbox: false,
    });
  });

  it('hands directory, key and sandbox on', async () => {
    const tools = new ConnectedTools();
    await tools.call('geminiChat', { prompt: 'Hi', workingDirectory: 'sub', apiKey: 'AIza-key_1', sandbox: true });
    expect(tools.runner.requests[0]?.settings).toMatchObject({
      directory: '/project/sub',
      directoryIsOptional: false,
      apiKey: 'AIza-key_1',
      sandbox: true,
    });
  });

  it('refuses yolo unless the operator allows it, and runs nothing', async () => {
    const tools = new ConnectedTools();
    const outcome = await tools.call('geminiChat', { prompt: 'Hi', yolo: true });
    expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('GEMINI_MCP_ALLOW_YOLO=1') });
    expect(tools.runner.requests).toEqual([]);
    const allowing = new ConnectedTools({ runPolicy: { allowYolo: true } });
    expect(await allowing.call('geminiChat', { prompt: 'Hi', yolo: true })).toMatchObject({ isError: false });
    expect(allowing.runner.requests[0]?.settings?.tools).toBe('everything');
  });

  it('ARGV-11: refuses what is no key, and does not repeat it', async () => {
    const tools = new ConnectedTools();
    const outcome = await tools.call('geminiChat', { prompt: 'Hi', apiKey: 'AIzaCANARY --yolo' });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).not.toContain('CANARY');
    expect(tools.runner.requests).toEqual([]);
  });

  it('times out in the words that users of older wrappers know, with what had come', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: ['half an ans'], hangs: true }) });
    const call = tools.call('geminiChat', { prompt: 'Hi' });
    await tools.clock.advance(600_000);
    const { text, isError } = await call;
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error executing gemini: CLI operation timed out after 600000ms\n/);
    expect(text).toContain('half an ans');
  });
});
