import { describe, expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

describe('gemini_context', () => {
  it('takes every argument of gemini_query that selects content', async () => {
    const tools = new ConnectedTools({ tree: { 'a.ts': 'one' } });
    const args = {
      prompt: 'Why?',
      files: ['a.ts'],
      model: 'gemini-3.8-flash',
      timeout: 60,
      max_files: 5,
      max_bytes: 1_000,
      schema: { type: 'object' },
      thinking: 'low',
      urls: ['https://example.org/'],
    };
    const { text, isError } = await tools.call('gemini_context', args);
    expect(isError, text).toBe(false);
    expect(text).toContain('a.ts: 3 bytes');
    expect(tools.runner.requests).toEqual([]);
  });

  it('refuses a schema by which nothing can be checked, by its own name', async () => {
    const { text, isError } = await new ConnectedTools().call('gemini_context', {
      schema: { $ref: 'https://example.org/other.json' },
    });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Invalid arguments for gemini_context; nothing was done\.\n- schema: /);
  });
});
