import { describe, expect, it } from 'vitest';
import { type SearchedTool, searchTools } from './search-tools.ts';

function tool(server: string, name: string, description = '', title: string | null = null): SearchedTool {
  return { server, tool: name, title, description };
}

const tools = [
  tool('github', 'create_issue', 'Opens a new issue in a repository.'),
  tool('github', 'list_issues', 'Lists the issues of a repository.'),
  tool('github', 'mergePullRequest', 'Merges a pull request.'),
  tool('files', 'read_text_file', 'Reads a file as text.'),
  tool('files', 'move_file', 'Moves a file or renames it.', 'Rename'),
  tool('日本', '天気', '今日の天気を調べます。'),
  tool('odd', 'constructor', '__proto__ toString'),
];

const names = (text: string, max = 3): readonly string[] =>
  searchTools({ tools, text, max }).map(({ tool: name }) => name);

describe('a search for tools', () => {
  it.each([
    ['new issue', 'create_issue'],
    ['create issue', 'create_issue'],
    ['createIssue', 'create_issue'],
    ['merge a pull request', 'mergePullRequest'],
    ['rename', 'move_file'],
    ['read text', 'read_text_file'],
    ['repositry isues', 'list_issues'],
    ['天気', '天気'],
    ['constructor', 'constructor'],
    ['__proto__', 'constructor'],
  ])('for %s finds %s first', (text, name) => {
    expect(names(text)[0]).toBe(name);
  });

  it('finds the tools of a server by its name', () => {
    expect(names('github', 9).toSorted()).toEqual(['create_issue', 'list_issues', 'mergePullRequest']);
  });

  it('has the tool of the very name first, whatever else has its words', () => {
    const many = [tool('a', 'issue issue issue', 'issue issue'), tool('a', 'issue', '')];
    expect(searchTools({ tools: many, text: ' issue ', max: 1 })).toEqual([many[1]]);
  });

  it('without words has the first tools, and for what fits nothing none', () => {
    expect(names('', 2)).toEqual(['create_issue', 'list_issues']);
    expect(names('!?', 2)).toEqual(['create_issue', 'list_issues']);
    expect(names('xylophone')).toEqual([]);
    expect(searchTools({ tools: [], text: 'x', max: 3 })).toEqual([]);
  });

  it('reads as much of a text or a description as it needs', () => {
    const long = tool('a', 'long', `${'x '.repeat(1_000)}needle`);
    expect(searchTools({ tools: [long], text: 'needle', max: 1 })).toEqual([]);
    expect(names(`${'issue '.repeat(100_000)}`, 1)).toHaveLength(1);
  });

  it('sees tools that came to the list', () => {
    const growing = [tool('a', 'one')];
    expect(searchTools({ tools: growing, text: 'two', max: 1 })).toEqual([]);
    growing.push(tool('a', 'two'));
    expect(searchTools({ tools: growing, text: 'two', max: 1 })).toEqual([growing[1]]);
  });
});
