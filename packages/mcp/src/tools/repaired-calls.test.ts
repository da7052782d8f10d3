import { expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const tree = { 'a.ts': 'let a = 1;' };

it('sends the arguments as they were meant, and says in the account how the arguments were read', async () => {
  const tools = new ConnectedTools({ tree });
  const { parts, isError, meta } = await tools.call('gemini_query', {
    query: 'Explain it.',
    path: 'a.ts',
    timeout: '60',
  });
  expect(isError).toBe(false);
  expect(parts[0]).toBe('The answer.');
  expect(parts[1]).toMatch(
    /\nArguments were read as meant: query as prompt; path as files; files: one text as a list; timeout: "60" as 60\.$/,
  );
  expect(meta).toMatchObject({ 'gemini-mcp-server/arguments': expect.arrayContaining(['query as prompt']) });
  expect(tools.runner.requests[0]?.input).toContain('let a = 1;');
});

it('says nothing about a call that was right, or that gave null for nothing', async () => {
  const { parts, meta } = await new ConnectedTools().call('gemini_query', { prompt: 'x', files: null, model: null });
  expect(parts.join('\n')).not.toContain('read as meant');
  expect(meta).not.toHaveProperty('gemini-mcp-server/arguments');
});

it('leaves JSON by a schema alone in its block', async () => {
  const tools = new ConnectedTools({ script: () => ({ chunks: ['[1]'] }) });
  const { parts, meta } = await tools.call('gemini_query', { query: 'x', schema: '{"type":"array"}' });
  expect(parts).toEqual(['[1]']);
  expect(meta).toMatchObject({ 'gemini-mcp-server/arguments': ['query as prompt'] });
});

it('says in a refusal how the rest was read', async () => {
  const { text, isError } = await new ConnectedTools().call('gemini_query', { query: 'x', timeout: 'soon' });
  expect(isError).toBe(true);
  expect(text).toContain('- timeout: must be a number, not a string');
  expect(text).toContain('Arguments were read as meant: query as prompt.');
});
