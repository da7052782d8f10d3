import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const changes = { 'src/a.ts': 'two\n' };

describe('gemini_agent', () => {
  it('answers with an account of the run: what changed, the diff, and how it is undone', async () => {
    const tools = new ConnectedTools({ changes });
    const { parts, isError, meta } = await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
    expect(isError).toBe(false);
    expect(parts[0]).toBe('The answer.');
    expect(parts[1]).toContain(
      [
        'Changed: 1 file, +1 -0 lines',
        '  - src/a.ts: created, +1 -0',
        'Undo: gemini_undo with run "run1"',
        'Diff:',
        '| --- /dev/null',
        '| +++ b/src/a.ts',
        '| @@ -0,0 +1 @@',
        '| +two',
      ].join('\n'),
    );
    expect(meta).toMatchObject({ 'gemini-mcp-server/work': { runId: 'run1', mode: 'edit', steps: 0 } });
  });

  it('gives the account of a run that failed as well', async () => {
    const script = () => ({ failure: { kind: 'blocked', what: 'answer', excerpt: '' } }) as const;
    const tools = new ConnectedTools({ changes, script });
    const { text, isError } = await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Gemini gave no answer: /);
    expect(text).toContain('Changed: 1 file, +1 -0 lines');
    expect(text).toContain('Undo: gemini_undo with run "run1"');
  });

  it('keeps the rest of a long diff for gemini_read', async () => {
    const tools = new ConnectedTools({ changes: { 'src/a.ts': 'line\n'.repeat(10_000) } });
    const { text } = await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
    expect(text.length).toBeLessThan(12_000);
    expect(text).toContain('Read the rest with gemini_read: handle "answer');
  });

  it('sends Gemini our own instructions, and only reads by default', async () => {
    const tools = new ConnectedTools();
    await tools.call('gemini_agent', { task: 'Look around.' });
    const [request] = tools.runner.requests;
    expect(request?.input).toContain('You can read the project and change nothing');
    expect(request?.input).toContain('The task:\nLook around.');
    expect(request?.settings?.systemPrompt).toContain('You work on a task in a project');
    expect(request?.toolProviders).toHaveLength(1);
  });

  it('says why commands are off without a sandbox', async () => {
    const tools = new ConnectedTools();
    const { text } = await tools.call('gemini_agent', { task: 'Test it.', mode: 'full' });
    expect(tools.runner.requests[0]?.input).toContain('There is no sandbox here.');
    expect(text).toContain('Note: No commands could be run: There is no sandbox here.');
  });

  it.each([
    ['plan', ['edit', 'full']],
    ['edit', ['full']],
  ] as const)('offers no mode beyond %s where the operator allows no more', async (mode, refused) => {
    const tools = new ConnectedTools({ agent: { mode } });
    for (const asked of refused) {
      const { text, isError } = await tools.call('gemini_agent', { task: 'Do it.', mode: asked });
      expect(isError).toBe(true);
      expect(text).toContain('mode: must be one of');
    }
    expect(tools.runner.requests).toEqual([]);
  });

  it('gives commands the network only where the operator allows it', async () => {
    const closed = await new ConnectedTools().call('gemini_agent', { task: 'Do it.', mode: 'full', network: true });
    expect(closed).toMatchObject({ isError: true, text: expect.stringContaining('GEMINI_MCP_AGENT=network') });
    const open = await new ConnectedTools({ agent: { allowsNetwork: true } }).call('gemini_agent', {
      task: 'Do it.',
      mode: 'full',
      network: true,
    });
    expect(open.isError).toBe(false);
  });

  it('is refused to those who may have no files read', async () => {
    const tools = new ConnectedTools({ runPolicy: { mayReadFiles: false } });
    expect(await tools.call('gemini_agent', { task: 'Do it.' })).toMatchObject({ isError: true });
    expect(tools.runner.requests).toEqual([]);
  });

  it('goes on in the background', async () => {
    const tools = new ConnectedTools({ changes });
    const { text } = await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit', background: true });
    const handle = /job (\w+)/.exec(text)?.[1];
    const done = await tools.call('gemini_job', { handle, action: 'wait' });
    expect(done.text).toContain('Changed: 1 file, +1 -0 lines');
  });
});

describe('gemini_undo', () => {
  it('reports the outcome of each path', async () => {
    const tools = new ConnectedTools({ changes: { 'src/a.ts': 'two\n', 'b.ts': 'three\n' } });
    await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
    tools.executor.files.write('b.ts', 'mine\n');
    const { text, isError } = await tools.call('gemini_undo', { run: 'run1' });
    expect(isError).toBe(false);
    expect(text).toMatch(/^Undone: 1 path, refused: 1\.\n/);
    expect(text).toContain('  - src/a.ts removed again');
    expect(text).toMatch(/ {2}- b\.ts refused: \w/);
    expect(tools.executor.files.readText('b.ts')).toBe('mine\n');
  });

  it('undoes no more than the paths that it is given, and nothing of another owner', async () => {
    const tools = new ConnectedTools({ changes: { 'a.ts': 'two\n', 'b.ts': 'three\n' } });
    await tools.call('gemini_agent', { task: 'Mend it.', mode: 'edit' });
    const bob = await tools.connect('bob');
    expect(await tools.call('gemini_undo', { run: 'run1' }, { client: bob })).toMatchObject({ isError: true });
    await tools.call('gemini_undo', { run: 'run1', paths: ['a.ts'] });
    expect(tools.executor.files.readText('a.ts')).toBeNull();
    expect(tools.executor.files.readText('b.ts')).toBe('three\n');
  });

  it('refuses an unknown run', async () => {
    const { text, isError } = await new ConnectedTools().call('gemini_undo', { run: 'run9' });
    expect(isError).toBe(true);
    expect(text).toContain('you have no such run');
  });

  it('is not offered if no run may change anything', () => {
    const names = new ConnectedTools({ agent: { mode: 'plan' } }).tools.map(({ name }) => name);
    expect(names).toContain('gemini_agent');
    expect(names).not.toContain('gemini_undo');
  });
});
