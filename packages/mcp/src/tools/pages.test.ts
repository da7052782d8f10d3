import { expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const urls = ['https://a.example/', 'https://b.example/'];

it('gemini_query has pages read, with the prompt as it is, and reports which ones were', async () => {
  const pages = [{ url: 'https://a.example/', outcome: 'read' } as const];
  const tools = new ConnectedTools({ script: () => ({ chunks: ['Red.'], pages }) });
  const { text, meta, isError } = await tools.call('gemini_query', { prompt: 'What colour?', urls });
  expect(isError).toBe(false);
  expect(tools.runner.requests).toMatchObject([{ input: 'What colour?', urls }]);
  expect(text).toContain('\nPages: 1 of 2 read\n  - not told whether it was read: https://b.example/');
  expect(text).not.toContain('WARNING');
  expect(meta).toMatchObject({
    'gemini-mcp-server/account': { pages: [...pages, { url: 'https://b.example/', outcome: 'untold' }] },
  });
});

it('warns that no page was read', async () => {
  const pages = urls.map((url) => ({ url, outcome: 'failed' }) as const);
  const tools = new ConnectedTools({ script: () => ({ chunks: ['Red.'], pages }) });
  const { parts } = await tools.call('gemini_query', { prompt: 'What colour?', urls });
  expect(parts[1]).toMatch(/^\[WARNING: Google read none of the pages/);
});

it('is told in an answer by a schema too, as data', async () => {
  const tools = new ConnectedTools({ script: () => ({ chunks: ['{"colour":"red"}'], pages: [] }) });
  const { text, meta } = await tools.call('gemini_query', { prompt: 'What colour?', urls, schema: { type: 'object' } });
  expect(JSON.parse(text)).toEqual({ colour: 'red' });
  expect(meta).toMatchObject({
    'gemini-mcp-server/account': { pages: [{ outcome: 'untold' }, { outcome: 'untold' }] },
  });
});

it('refuses an address that Google does not reach, before anything is asked', async () => {
  const tools = new ConnectedTools();
  const { text, isError } = await tools.call('gemini_query', { prompt: 'x', urls: ['http://127.0.0.1/'] });
  expect(isError).toBe(true);
  expect(text).toContain('must be an address of the public web');
  expect(tools.runner.requests).toEqual([]);
});
