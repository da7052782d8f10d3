import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Prompt } from '../surface/prompt.ts';
import type { Surface } from '../surface/surface.ts';
import type { Tool } from '../surface/tool.ts';
import type { McpLogEntry } from './mcp-log.ts';
import { SurfaceRegistry } from './surface-registry.ts';

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

function promptNamed(name: string): Prompt {
  return { name, title: name, description: name, arguments: [], get: () => Promise.resolve({ messages: [] }) };
}

const empty: Surface = { tools: [], prompts: [], resources: [] };

function createRegistry(loadSurface: () => Promise<Surface>, log: McpLogEntry[] = []): SurfaceRegistry {
  return new SurfaceRegistry({ source: { current: loadSurface }, clientRoots: null, log: (entry) => log.push(entry) });
}

describe('SurfaceRegistry', () => {
  it('loads once, however many ask at once', async () => {
    let loads = 0;
    const registry = createRegistry(async () => {
      loads += 1;
      return empty;
    });
    expect(loads).toBe(0);
    const [first, second] = await Promise.all([registry.load(), registry.load()]);
    expect(await registry.load()).toBe(first);
    expect(second).toBe(first);
    expect(loads).toBe(1);
  });

  it('tries again after a failure, of which the log has the cause', async () => {
    const cause = new Error('disk');
    const outcomes = [Promise.reject(cause), Promise.resolve({ ...empty, tools: [toolNamed('a_tool')] })];
    const log: McpLogEntry[] = [];
    const registry = createRegistry(() => outcomes.shift() ?? Promise.resolve(empty), log);
    await expect(registry.load()).rejects.toMatchObject({ code: -32603, message: expect.not.stringContaining('disk') });
    expect((await registry.load()).tools.has('a_tool')).toBe(true);
    expect(log).toEqual([
      { event: 'surface-unavailable', subject: null, error: cause, correlationId: expect.any(String) },
    ]);
  });

  it('names the shortage of the system', async () => {
    const shortage = Object.assign(new Error('open /secret'), { code: 'EMFILE' });
    const says = expect.stringContaining('This program has no free file descriptors (EMFILE). Raise its limit');
    await expect(createRegistry(() => Promise.reject(shortage)).load()).rejects.toMatchObject({ message: says });
  });

  it('lists tools in the order of names, in the wire form', async () => {
    const registry = createRegistry(async () => ({ ...empty, tools: ['c_tool', 'a_tool', 'b_tool'].map(toolNamed) }));
    const { listedTools } = await registry.load();
    expect(listedTools.map(({ name }) => name)).toEqual(['a_tool', 'b_tool', 'c_tool']);
    expect(listedTools[0]).toEqual({
      name: 'a_tool',
      title: 'Title of a_tool',
      description: 'Description of a_tool',
      inputSchema: {
        type: 'object',
        properties: { size: { type: 'integer', description: 'How much' } },
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });

  it('makes a surface ready once, however many servers offer it', async () => {
    const surface = { ...empty, tools: [toolNamed('a_tool')] };
    const loaded = await Promise.all([1, 2].map(() => createRegistry(async () => surface).load()));
    expect(loaded[1]).toBe(loaded[0]);
    expect(await createRegistry(async () => ({ ...surface })).load()).not.toBe(loaded[0]);
  });

  it('refuses two tools of one name, and two prompts', async () => {
    const surfaces = [
      { ...empty, tools: [toolNamed('same'), toolNamed('same')] },
      { ...empty, prompts: [promptNamed('same'), promptNamed('same')] },
    ];
    for (const surface of surfaces) {
      const log: McpLogEntry[] = [];
      await expect(createRegistry(async () => surface, log).load()).rejects.toMatchObject({ code: -32603 });
      expect(log[0]?.error).toMatchObject({ message: expect.stringContaining('same name') });
    }
  });
});
