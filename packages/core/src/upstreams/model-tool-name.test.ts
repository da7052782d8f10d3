import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';
import { modelToolName } from './model-tool-name.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const forGemini = (server: string, tool: string) => modelToolName({ server, tool, reader: 'gemini', sha256 });
const forClient = (server: string, tool: string) => modelToolName({ server, tool, reader: 'client', sha256 });

/** What the Gemini API takes, within what the clients take that were tried. */
const valid = /^[A-Za-z][A-Za-z0-9_-]{0,49}$/;

/** Tools of the Gemini CLI 0.61.0 and their aliases, and ours. */
const taken = [
  ...['glob', 'grep_search', 'search_file_content', 'list_directory', 'read_file', 'run_shell_command', 'write_file'],
  ...['replace', 'google_web_search', 'write_todos', 'web_fetch', 'read_many_files', 'get_internal_docs', 'ask_user'],
  ...['activate_skill', 'exit_plan_mode', 'enter_plan_mode', 'update_topic', 'complete_task', 'read_mcp_resource'],
  ...[
    'list_mcp_resources',
    'tracker_create_task',
    'invoke_agent',
    'take_snapshot',
    'save_memory',
    'codebase_investigator',
  ],
  ...[
    'gemini_query',
    'gemini_context',
    'gemini_read',
    'gemini_job',
    'gemini_agent',
    'gemini_undo',
    'chat',
    'chat-reply',
  ],
  ...['chat-delete', 'geminiChat', 'googleSearch', 'find_tools', 'call_tool', 'view_file', 'put_file', 'run_command'],
];

describe('the name of a model tool', () => {
  it.each([
    ['github', 'search_issues', 'github__search_issues'],
    ['brave-search', 'brave_web_search', 'brave-search__brave_web_search'],
    ['a', '_b', 'a___b'],
    ['a_b', 'c', 'a_b__c'],
    ['a', 'b_c', 'a__b_c'],
  ])('is the server and the tool if both are plain: %s, %s', (server, tool, name) => {
    expect(forGemini(server, tool)).toBe(name);
    expect(forClient(server, tool)).toBe(name);
  });

  it.each([
    ['github', 'create_issue', 'github__creates_issue'],
    ['files', 'Edit-file', 'files__Edits-file'],
    ['patch', 'save', 'patches__saves'],
    ['a', 'editFile', 'a__editFile'],
  ])('has no word for Gemini that makes the CLI guard build files: %s, %s', (server, tool, name) => {
    expect(forGemini(server, tool)).toBe(name);
    expect(forClient(server, tool)).toBe(`${server}__${tool}`);
  });

  it.each([
    [
      'a name that the change of such a word would give',
      'github',
      'creates_issue',
      /^github__creates_issue_[0-9a-f]{12}$/,
    ],
    ['a name with a space', 'my server', 'has space', /^my_server__has_space_[0-9a-f]{12}$/],
    ['a name that begins with a digit', '1password', 'get', /^password__get_[0-9a-f]{12}$/],
    ['a name without any plain letter', '日本', '検索', /^server__tool_[0-9a-f]{12}$/],
    ['no name', '', '', /^server__tool_[0-9a-f]{12}$/],
    ['__proto__', '__proto__', 'constructor', /^proto__constructor_[0-9a-f]{12}$/],
    ['*', '*', '*', /^server__tool_[0-9a-f]{12}$/],
    ['200 characters', 'a'.repeat(200), 'b'.repeat(200), /^a{18}__b{17}_[0-9a-f]{12}$/],
    ['control characters', 'a\u001b[31m', 'b\n', /^a_31m__b_[0-9a-f]{12}$/],
    ['what looks like a digest', 'a', 'b_0123456789ab', /^a__b_0123456789ab_[0-9a-f]{12}$/],
  ])('HUB-03: has a digest for %s', (_, server, tool, name) => {
    expect(forGemini(server, tool)).toMatch(name);
    expect(forGemini(server, tool)).toMatch(valid);
  });

  it('HUB-10: distinguishes names that would otherwise become equal, or look alike', () => {
    const tools: readonly (readonly [string, string])[] = [
      ...([
        ['a b', 'c'],
        ['a_b', 'c'],
        ['a', 'b_c'],
        ['a__b', 'c'],
        ['a', '_b__c'],
        ['a_', 'b__c'],
      ] as const),
      ...([
        ['a', 'has space'],
        ['a', 'has_space'],
        ['a', 'has  space'],
        ['a', 'has\tspace'],
      ] as const),
      ...([
        ['paypal', 'x'],
        ['p\u0430ypal', 'x'],
        ['paypal\u200b', 'x'],
        ['PayPal', 'x'],
        ['pay\u00adpal', 'x'],
      ] as const),
      ...([
        ['a', '\ud800'],
        ['a', '\ud801'],
        ['a', '\ufffd'],
        ['a', 'caf\u00e9'],
        ['a', 'cafe\u0301'],
      ] as const),
      ...([
        ['a', `${'b'.repeat(90)}1`],
        ['a', `${'b'.repeat(90)}2`],
      ] as const),
    ];
    expect(new Set(tools.map(([server, tool]) => forGemini(server, tool))).size).toBe(tools.length);
    expect(new Set(tools.map(([server, tool]) => forClient(server, tool))).size).toBe(tools.length);
  });

  it('leaves no guarded word where a long name is cut', () => {
    expect(forGemini('a', `${'b'.repeat(27)}_updated_${'c'.repeat(30)}`)).toMatch(/^a__b{27}_updat_[0-9a-f]{12}$/);
  });

  it('HUB-10: is the name of no tool of ours or of the CLI', () => {
    const names = taken.flatMap((server) => taken.map((tool) => forGemini(server, tool)));
    expect(names.filter((name) => taken.includes(name) || !name.includes('__'))).toEqual([]);
  });

  it('HUB-10: is valid, unlike every other and the same again for 10,000 random tools', () => {
    const words = fc.constantFrom(
      'write',
      'edit',
      'get',
      'files',
      'a',
      '1',
      'update',
      'creates',
      'PATCH',
      'x'.repeat(20),
    );
    const joints = fc.constantFrom('_', '__', '-', '.', ' ', ':', '/', '', '\u200b', '\u00e9');
    const likely = fc
      .array(fc.tuple(words, joints), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''));
    const name = fc.oneof(likely, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 80 }));
    const tools = new Map<string, ServerTool>();
    for (const [server, tool] of fc.sample(fc.tuple(name, name), 10_000)) {
      tools.set(JSON.stringify([server, tool]), { server, tool });
    }
    const named = [...tools.values()].map(
      ({ server, tool }) => [forGemini(server, tool), forClient(server, tool)] as const,
    );
    expect(named.filter(([gemini, client]) => !valid.test(gemini) || !valid.test(client))).toEqual([]);
    expect(named.filter(([gemini]) => hasGuardedWord(`mcp_lend_${gemini}`))).toEqual([]);
    expect(new Set(named.map(([gemini]) => gemini)).size).toBe(tools.size);
    expect(new Set(named.map(([, client]) => client)).size).toBe(tools.size);
    const reversed = [...tools.values()].reverse().map(({ server, tool }) => forGemini(server, tool));
    expect(reversed.reverse()).toEqual(named.map(([gemini]) => gemini));
  });
});

/** As the CLI looks for them (0.61.0). */
function hasGuardedWord(name: string): boolean {
  const guarded = new Set(['write', 'edit', 'replace', 'patch', 'update', 'create', 'append', 'save']);
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((token) => guarded.has(token));
}
