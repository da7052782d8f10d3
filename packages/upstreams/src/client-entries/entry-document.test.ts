import { describe, expect, it } from 'vitest';
import { type Entry, type EntryPlace, editEntry, readEntry } from './entry-document.ts';

const json: EntryPlace = { format: 'json', path: ['mcpServers', 'gemini'] };
const toml: EntryPlace = { format: 'toml', path: ['mcp_servers', 'gemini'] };
const yaml: EntryPlace = { format: 'yaml', path: ['mcpServers', 'gemini'] };
const entry: Entry = { command: 'C:\\node.exe', args: ['a b', '--x=1'] };

function edit(text: string, place: EntryPlace, to: Entry | null = entry): string {
  const edited = editEntry(text, place, to);
  return edited.ok ? edited.text : `refused: ${edited.problem}`;
}

describe('editEntry in JSON', () => {
  it.each(['', ' \n', '{}', '{}\n'])('begins with %j', (text) => {
    expect(JSON.parse(edit(text, json))).toEqual({ mcpServers: { gemini: entry } });
  });

  it('keeps comments, commas, indentation and line ends', () => {
    const text =
      '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }, /* theirs */\r\n\t},\r\n}\r\n';
    const edited = edit(text, json);
    expect(edited).toContain('\t// mine\r\n');
    expect(edited).toContain('/* theirs */');
    expect(edited).toContain('\r\n\t\t"gemini": {\r\n\t\t\t"command": "C:\\\\node.exe",');
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
    expect(readEntry(edited, json)).toEqual({ ok: true, entry });
  });

  it('replaces and removes an entry', () => {
    const text = '{\n  "mcpServers": {\n    "a": {},\n    "gemini": { "command": "old" }\n  }\n}\n';
    expect(readEntry(edit(text, json), json)).toEqual({ ok: true, entry });
    expect(edit(text, json, null)).toBe('{\n  "mcpServers": {\n    "a": {}\n  }\n}\n');
  });

  it.each([
    ['{', 'is not valid JSON'],
    ['[]', 'is not valid JSON'],
    ['{"mcpServers": {"gemini": {}}', 'is not valid JSON'],
    ['{"mcpServers": []}', 'cannot be changed safely'],
    ['{"mcpServers": "x"}', 'cannot be changed safely'],
  ])('refuses %j', (text, problem) => {
    expect(edit(text, json)).toContain(`refused: `);
    expect(edit(text, json)).toContain(problem);
  });
});

describe('editEntry in TOML', () => {
  const before = 'model = "gpt" # best\n\n[mcp_servers.other]\ncommand = "x"\n';

  it('adds a table at the end, and keeps every byte before it', () => {
    const edited = edit(before, toml);
    expect(edited.startsWith(`${before}\n[mcp_servers.gemini]\ncommand = `)).toBe(true);
    expect(readEntry(edited, toml)).toEqual({ ok: true, entry });
    expect(edit('', toml)).toMatch(/^\[mcp_servers\.gemini\]\n/);
    expect(edit('a = 1', toml)).toMatch(/^a = 1\n\n\[mcp_servers\.gemini\]\n/);
    expect(edit('a = 1\r\n', toml).replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each(['mcp_servers.gemini', 'mcp_servers."gemini"', ' mcp_servers . gemini '])('replaces [%s]', (header) => {
    const old = `${before}\n[${header}] # ours\ncommand = "old"\n\n[mcp_servers.gemini.env]\nA = "1"\n\n# of the next\n[tui]\ntheme = "x"\n`;
    const edited = edit(old, toml);
    expect(edited.startsWith(`${before}\n[mcp_servers.gemini]\n`)).toBe(true);
    expect(edited).toMatch(/\n\n# of the next\n\[tui\]\ntheme = "x"\n$/);
    expect(edited).not.toContain('old');
    const removed = edit(old, toml, null);
    expect(removed).not.toContain('gemini');
    expect(removed).toMatch(/\n# of the next\n\[tui\]/);
  });

  it('does not take another table for ours', () => {
    const others = '[mcp_servers.gemini2]\ncommand = "x"\n\n[other.mcp_servers.gemini]\ncommand = "y"\n';
    expect(edit(others, toml).startsWith(others)).toBe(true);
  });

  it.each([
    ['a = ', 'is not valid TOML: look at line 1'],
    ['mcp_servers = { gemini = { command = "x" } }\n', 'cannot be changed safely'],
    ['[mcp_servers]\ngemini = { command = "x" }\n', 'cannot be changed safely'],
    ['text = """\n[mcp_servers.gemini]\nnot a table\n"""\n', 'cannot be changed safely'],
  ])('refuses %j', (text, problem) => {
    expect(edit(text, toml)).toContain('refused: ');
    expect(edit(text, toml)).toContain(problem);
  });
});

describe('editEntry in YAML', () => {
  const named = { name: 'gemini', ...entry };
  const before = '# mine\nname: Local\nversion: 1.0.0\nmcpServers:\n  - name: other # theirs\n    command: x\n';

  it('adds, replaces and removes an element, and keeps comments', () => {
    const added = edit(before, yaml, named);
    expect(added).toMatch(/^# mine\nname: Local\n/);
    expect(added).toContain('- name: other # theirs');
    expect(readEntry(added, yaml)).toEqual({ ok: true, entry: named });
    const replaced = edit(added, yaml, { name: 'gemini', command: 'new' });
    expect(readEntry(replaced, yaml)).toEqual({ ok: true, entry: { name: 'gemini', command: 'new' } });
    expect(edit(replaced, yaml, null)).toBe(before);
    expect(readEntry(edit('name: Local\n', yaml, named), yaml)).toEqual({ ok: true, entry: named });
  });

  it.each([
    ['a: [', 'is not valid YAML: look at line 1'],
    ['mcpServers: text\n', 'cannot be changed safely'],
    ['- a\n', 'does not hold an object'],
  ])('refuses %j', (text, problem) => {
    expect(edit(text, yaml, named)).toContain(`refused: ${problem === 'cannot be changed safely' ? '' : problem}`);
  });
});
