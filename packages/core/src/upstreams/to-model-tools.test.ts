import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ListedTool } from '../ports/upstreams/server-lists.ts';
import { toModelTools } from './to-model-tools.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function tool(name: string, more: Partial<ListedTool> = {}): ListedTool {
  return {
    name,
    title: null,
    description: '',
    inputSchema: { type: 'object' },
    outputSchema: null,
    annotations: {},
    ...more,
  };
}

const lend = (...servers: readonly (readonly [string, readonly ListedTool[]])[]) =>
  toModelTools(
    servers.map(([server, tools]) => ({ server, tools })),
    { reader: 'gemini', sha256 },
  );

describe('tools of servers', () => {
  it('are offered with their names, words and arguments', () => {
    const inputSchema = { type: 'object', properties: { 'per page': { type: 'int' } } };
    const { offered, setAside } = lend([
      'github',
      [tool('search', { title: 'Search', description: 'Finds\u202e.', inputSchema })],
    ]);
    expect(setAside).toEqual([]);
    expect([...offered]).toEqual([
      [
        'github__search',
        {
          server: 'github',
          tool: 'search',
          modelTool: {
            name: 'github__search',
            description: 'Tool search of the server github. Search\nFinds\\u{202e}.',
            inputSchema: {
              type: 'object',
              properties: { [`per_page_${sha256('"per page"').slice(0, 12)}`]: { type: 'integer' } },
            },
            changes: true,
          },
          originals: new Map([[`per_page_${sha256('"per page"').slice(0, 12)}`, 'per page']]),
          inputSchema,
        },
      ],
    ]);
  });

  it('HUB-13: are called with care also where the server claims that they only read', () => {
    const { offered } = lend([
      'a',
      [tool('delete_all', { annotations: { readOnlyHint: true, destructiveHint: false } })],
    ]);
    expect(offered.get('a__delete_all')?.modelTool.changes).toBe(true);
  });

  it('are set aside by name if they are unusable, without affecting the others', () => {
    const { offered, setAside } = lend(
      ['a', [tool('one'), tool('bad', { inputSchema: { type: 'string' } }), tool('one', { description: 'Other.' })]],
      ['b', [tool('one')]],
    );
    expect([...offered.keys()]).toEqual(['a__one', 'b__one']);
    expect(offered.get('a__one')?.modelTool.description).toBe('Tool one of the server a.');
    expect(setAside).toEqual([
      { server: 'a', tool: 'bad', reason: 'The schema of its arguments is not the schema of an object.' },
      { server: 'a', tool: 'one', reason: 'The server lists it twice. The first one counts.' },
    ]);
  });

  it('are both set aside where digests would make their names equal', () => {
    const { offered, setAside } = toModelTools(
      [{ server: 'a', tools: [tool('x y'), tool('ok'), tool('x.y'), tool('x/y')] }],
      { reader: 'client', sha256: () => '0'.repeat(64) },
    );
    expect([...offered.keys()]).toEqual(['a__ok']);
    expect(new Set(setAside.map(({ tool: name, reason }) => `${name}: ${reason}`))).toEqual(
      new Set(['x y', 'x.y', 'x/y'].map((name) => `${name}: Its name would be the same as that of another tool.`)),
    );
  });

  it('have descriptions of a bounded length', () => {
    const { offered } = lend(['a'.repeat(300), [tool('x', { description: 'y'.repeat(1_000_000) })]]);
    expect([...offered.values()][0]?.modelTool.description.length).toBeLessThan(4_300);
  });
});
