import type { ScriptedRun } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const searched = [
  { name: 'google_web_search', phase: 'started' },
  { name: 'google_web_search', phase: 'succeeded' },
] as const;

function searching(text: string): () => ScriptedRun {
  return () => ({ tools: searched, chunks: [text] });
}

const report = {
  summary: 'Foxes are red.',
  sources: [
    { url: 'https://example.org/fox', title: 'Foxes', snippet: 'Red.' },
    { url: 'https://example.org/red', title: 'Red', snippet: '' },
  ],
};

describe('googleSearch', () => {
  it('answers in prose, with the web search and nothing else', async () => {
    const tools = new ConnectedTools({ script: searching('Foxes are red [1].') });
    expect(await tools.call('googleSearch', { query: 'colour of foxes', workingDirectory: 'src' })).toMatchObject({
      text: 'Foxes are red [1].',
      isError: false,
    });
    expect(tools.runner.requests[0]).toMatchObject({
      input: expect.stringContaining('colour of foxes'),
      settings: { tools: 'web-search' },
    });
  });

  it('answers with JSON and nothing around it when raw is asked for', async () => {
    const tools = new ConnectedTools({ script: searching(`\`\`\`json\n${JSON.stringify(report)}\n\`\`\``) });
    const { text } = await tools.call('googleSearch', { query: 'foxes', raw: true, limit: 1 });
    expect(JSON.parse(text)).toEqual({ ...report, sources: report.sources.slice(0, 1) });
  });

  it('answers with what the runner tells that was found: numbers in the prose, and a report that is made of data', async () => {
    const grounding = {
      queries: ['foxes\u009b'],
      sources: [{ url: 'https://a.example/', title: 'Fo\u202exes', domain: 'a.example', isRedirect: false }],
      supports: [{ start: 0, end: 5, sources: [0] }],
    };
    const tools = new ConnectedTools({ script: () => ({ tools: searched, chunks: ['Red.\u009b'], grounding }) });
    expect(await tools.call('googleSearch', { query: 'foxes' })).toMatchObject({
      parts: ['Red.\\u{9b} [1]', 'Sources:\n[1] Foxes (a.example): https://a.example/\nSearched for: "foxes"'],
    });
    const { text } = await tools.call('googleSearch', { query: 'foxes', raw: true });
    expect(JSON.parse(text)).toEqual({
      summary: 'Red.',
      sources: [{ url: 'https://a.example/', title: 'Foxes', snippet: 'Red.', domain: 'a.example' }],
      queries: ['foxes'],
      supports: [{ text: 'Red.', sources: [0] }],
    });
  });

  it('fails when Gemini has not searched', async () => {
    const tools = new ConnectedTools({ script: () => ({ chunks: ['I know that: red.'] }) });
    const outcome = await tools.call('googleSearch', { query: 'foxes' });
    expect(outcome).toMatchObject({ isError: true });
    expect(outcome.text).not.toContain('I know that');
  });

  it('has a minute', async () => {
    const tools = new ConnectedTools({ script: () => ({ hangs: true }) });
    const call = tools.call('googleSearch', { query: 'foxes' });
    await tools.clock.advance(60_000);
    expect((await call).text).toContain('CLI operation timed out after 60000ms');
  });

  it('refuses yolo unless the operator allows it, and searches all the same with nothing but the search', async () => {
    const tools = new ConnectedTools({ script: searching('x') });
    expect(await tools.call('googleSearch', { query: 'foxes', yolo: true })).toMatchObject({ isError: true });
    expect(tools.runner.requests).toEqual([]);
    const allowing = new ConnectedTools({ script: searching('x'), runPolicy: { allowYolo: true } });
    await allowing.call('googleSearch', { query: 'foxes', yolo: true });
    expect(allowing.runner.requests[0]?.settings?.tools).toBe('web-search');
  });

  it.each([[{}], [{ query: '' }], [{ query: ' \n' }]])('refuses %j', async (args) => {
    const tools = new ConnectedTools();
    expect(await tools.call('googleSearch', args)).toMatchObject({ isError: true });
    expect(tools.runner.requests).toEqual([]);
  });
});
