import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

describe('geminiChat', () => {
  it('looks into the working directory of the server, by tools that it is lent', async () => {
    const tools = new ConnectedTools();
    expect(await tools.call('geminiChat', { prompt: 'Hi' })).toMatchObject({ text: 'The answer.', isError: false });
    expect(tools.opened).toMatchObject([{ workingDirectory: '/project', mode: 'plan' }]);
    const [{ settings, directory, toolProviders } = {}] = tools.runner.requests;
    expect(settings).toMatchObject({ tools: 'none', apiKey: null, sandbox: false });
    expect(directory).toBeUndefined();
    expect(toolProviders).toHaveLength(1);
  });

  it('hands directory and key on', async () => {
    const tools = new ConnectedTools({ tree: { 'sub/a.txt': '' } });
    await tools.call('geminiChat', { prompt: 'Hi', workingDirectory: 'sub', apiKey: 'AIza-key_1' });
    expect(tools.opened).toMatchObject([{ workingDirectory: '/project/sub' }]);
    expect(tools.runner.requests[0]?.settings?.apiKey).toBe('AIza-key_1');
  });

  it('runs in a sandbox without the working directory, and says so; a directory that is named is refused with what to do', async () => {
    const tools = new ConnectedTools();
    const answered = await tools.call('geminiChat', { prompt: 'Hi', sandbox: true });
    expect(answered.isError).toBe(false);
    expect(answered.text).toContain('The tools that look into a directory are not available in a sandbox.');
    expect(tools.runner.requests[0]?.settings?.sandbox).toBe(true);
    const refused = await tools.call('geminiChat', { prompt: 'Hi', sandbox: true, workingDirectory: '.' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Leave sandbox out:') });
    expect(tools.runner.requests).toHaveLength(1);
    expect(tools.opened).toEqual([]);
  });

  it('gives all tools and the directory to the runner with yolo, in a sandbox too', async () => {
    const tools = new ConnectedTools({ runPolicy: { allowYolo: true, roots: ['/project'] } });
    const args = { prompt: 'Hi', yolo: true, sandbox: true, workingDirectory: 'sub' };
    expect(await tools.call('geminiChat', args)).toMatchObject({ isError: false });
    expect(tools.runner.requests).toMatchObject([
      {
        settings: { tools: 'everything', sandbox: true },
        directory: { path: '/project/sub', isOptional: false, roots: ['/project'] },
      },
    ]);
    expect(tools.opened).toEqual([]);
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

  it('ARGV-11: refuses an invalid key, and does not repeat it', async () => {
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
