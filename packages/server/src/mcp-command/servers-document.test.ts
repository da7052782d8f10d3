import { readFileSync } from 'node:fs';
import { readUpstreamConfig } from '@gemini-mcp/upstreams';
import { describe, expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { readMcpWords } from './read-mcp-words.ts';

const page = readFileSync(new URL('../../../../docs/upstreams.md', import.meta.url), 'utf8');

const readme = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

const blocks = (language: string, document: string = page): readonly string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block);

/** As a shell reads the lines of the page: words, some of them in quotes. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

/** The first column of the table below a heading. */
function namesBelow(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const rows = (section.split(/\n#{2,3} /)[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** The names that mean something, as the settings tell them. */
function knownNames(settings: string): readonly string[] {
  const [problem] = readUpstreamConfig(settings, 's').problems.filter(({ message }) => message.includes('Known are'));
  return problem?.message.replace(/^.*Known are (.*)\.$/, '$1').split(', ') ?? [];
}

describe('docs/upstreams.md', () => {
  it('shows commands that are understood', () => {
    const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      const [program, mcp, ...words] = wordsOf(line);
      expect([program, mcp]).toEqual(['gemini-mcp-server', 'mcp']);
      expect(readMcpWords(words, sampleProgram).action.action).not.toBe('help');
    }
  });

  it('shows settings without a mistake', () => {
    const examples = blocks('json');
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      expect(readUpstreamConfig(example, 'upstreams.md').problems).toEqual([]);
    }
  });

  it('describes every property of a server, and no other', () => {
    const known = knownNames('{"mcpServers": {"a": {"command": "x", "qqqqqqqqqq": 1}}}');
    expect(known).toContain('command');
    expect([...namesBelow('Properties of a server')].sort()).toEqual([...known].sort());
  });

  it('describes everything that holds for all servers', () => {
    expect(namesBelow('For all servers')).toEqual(knownNames('{"mcp": {"qqqqqqqqqq": 1}}'));
  });
});

describe('README.md', () => {
  it('shows commands that are understood', () => {
    const program = 'node apps/mcp-stdio/dist/gemini-mcp-server.cjs mcp ';
    const commands = blocks('sh', readme)
      .flatMap((block) => block.split('\n'))
      .filter((line) => line.startsWith(program))
      .map((line) => readMcpWords(wordsOf(line.slice(program.length).replace(/ #.*/, '')), sampleProgram).action);
    expect(commands).toMatchObject([
      {
        action: 'add',
        server: 'memory',
        entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
      },
      { action: 'list' },
    ]);
  });
});
