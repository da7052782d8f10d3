import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from './tool.ts';
import { ToolRegistry } from './tool-registry.ts';

function toolNamed(name: string): Tool {
  return {
    name,
    title: `Title of ${name}`,
    description: `Description of ${name}`,
    input: z.strictObject({ size: z.int().min(1).max(9).default(3).describe('How much') }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: () => Promise.resolve({ text: name, isError: false }),
  };
}

describe('ToolRegistry', () => {
  it('loads once, however many ask at once', async () => {
    let loads = 0;
    const registry = new ToolRegistry({
      loadTools: async () => {
        loads += 1;
        return [toolNamed('a_tool')];
      },
    });
    expect(loads).toBe(0);
    const [first, second] = await Promise.all([registry.load(), registry.load()]);
    expect(await registry.load()).toBe(first);
    expect(second).toBe(first);
    expect(loads).toBe(1);
  });

  it('tries again after a failure', async () => {
    const outcomes = [Promise.reject(new Error('disk')), Promise.resolve([toolNamed('a_tool')])];
    const registry = new ToolRegistry({ loadTools: () => outcomes.shift() ?? Promise.resolve([]) });
    await expect(registry.load()).rejects.toThrow('disk');
    expect((await registry.load()).byName.has('a_tool')).toBe(true);
  });

  it('lists in the order of names, in the wire form', async () => {
    const registry = new ToolRegistry({
      loadTools: () => Promise.resolve(['c_tool', 'a_tool', 'b_tool'].map(toolNamed)),
    });
    const { listed } = await registry.load();
    expect(listed.map(({ name }) => name)).toEqual(['a_tool', 'b_tool', 'c_tool']);
    expect(listed[0]).toEqual({
      name: 'a_tool',
      title: 'Title of a_tool',
      description: 'Description of a_tool',
      inputSchema: {
        type: 'object',
        properties: { size: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How much' } },
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });

  it('refuses two tools of one name', async () => {
    const registry = new ToolRegistry({ loadTools: () => Promise.resolve([toolNamed('same'), toolNamed('same')]) });
    await expect(registry.load()).rejects.toThrow('same name');
  });
});
