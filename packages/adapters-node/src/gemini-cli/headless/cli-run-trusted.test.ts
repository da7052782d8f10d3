import { readdir, readFile } from 'node:fs/promises';
import { text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace();

it('a run with all tools works in a trusted directory, whose GEMINI.md and settings count', async () => {
  const server = { command: '/bin/sh', args: ['-c', `touch ${given.place.at('STARTED')}`] };
  await given.place.write({
    'project/GEMINI.md': 'Answer in verse.',
    'project/.gemini/settings.json': JSON.stringify({
      context: { fileName: ['GEMINI.md', 'MORE.md'] },
      mcpServers: { server },
    }),
    'project/MORE.md': 'Answer at length.',
  });
  given.api.reply((_, index) =>
    index === 0 ? toolCall('run_shell_command', { command: 'pwd > where.txt' }) : text('done'),
  );
  const directory = given.place.at('project');
  const { failure, requests } = await given.place.run({
    tools: 'everything',
    directory,
    trustedDirectories: [directory],
  });
  expect(failure).toBeNull();
  expect(await readFile(given.place.at('project/where.txt'), 'utf8')).toBe(`${directory}\n`);
  const sent = JSON.stringify(requests.map(({ body }) => body));
  expect(sent).toContain('Answer in verse.');
  expect(sent).toContain('Answer at length.');
  // Only this server offers tools.
  expect(await readdir(given.place.root)).not.toContain('STARTED');
});

it.each(['none', 'web-search'] as const)('no other run works in one: tools %s', async (tools) => {
  await given.place.write({ 'project/a.txt': 'a' });
  const directory = given.place.at('project');
  const { failure, requests } = await given.place.run({ tools, directory, trustedDirectories: [directory] });
  expect(failure).toEqual({ kind: 'unsupported', feature: 'directory' });
  expect(requests).toEqual([]);
  expect(await readdir(given.place.root)).toEqual(['project']);
});
