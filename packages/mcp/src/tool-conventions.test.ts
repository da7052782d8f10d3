import { describe, expect, it } from 'vitest';
import { createGeminiQueryTool } from './gemini-query/gemini-query-tool.ts';
import { presentTool } from './present-tool.ts';

/** Every tool that this package offers. */
const tools = [
  createGeminiQueryTool({ modelChain: [], askGemini: { ask: () => Promise.reject(new Error('not to be asked')) } }),
];

describe.each(tools)('the tool $name', (tool) => {
  const wire = presentTool(tool);

  it('has a name that every client takes', () => {
    expect(wire.name).toMatch(/^[a-z][A-Za-z0-9_]{1,34}$/);
  });

  it('has a title and a description that no client cuts', () => {
    expect(wire.title?.length).toBeGreaterThan(0);
    expect(wire.description?.length).toBeGreaterThan(0);
    expect(wire.description?.length).toBeLessThan(4_096);
  });

  it('states all four annotations', () => {
    expect(Object.keys(wire.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  });

  it('describes every argument and refuses others', () => {
    expect(wire.inputSchema['additionalProperties']).toBe(false);
    for (const property of Object.values(wire.inputSchema.properties ?? {})) {
      expect(property).toMatchObject({ description: expect.stringMatching(/\w/) });
    }
  });
});
