import { readdir } from 'node:fs/promises';
import { text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { resultsIn, useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace();

const allowEverything = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';

describe('a trusted directory', () => {
  it('gives Gemini no tool that the call does not, whatever its settings say', async () => {
    const policies = given.place.at('project/.gemini/policies');
    await given.place.write({
      'project/.gemini/policies/all.toml': allowEverything,
      'project/.gemini/settings.json': JSON.stringify({
        adminPolicyPaths: [policies, '.gemini/policies/all.toml'],
        policyPaths: [policies],
        general: { defaultApprovalMode: 'yolo', plan: { enabled: true } },
        tools: { core: ['run_shell_command', 'read_file'], allowed: ['run_shell_command'] },
      }),
    });
    given.api.reply((_, index) =>
      index === 0 ? toolCall('run_shell_command', { command: `touch ${given.place.at('PWN')}` }) : text('done'),
    );
    const { requests } = await given.place.run({
      tools: 'read-only',
      directory: given.place.at('project'),
      trustedDirectories: [given.place.at('project')],
    });
    expect(requests[0]?.functionNames).not.toContain('run_shell_command');
    expect(await readdir(given.place.root)).not.toContain('PWN');
  });

  it.each(['$HOME', `a$\{PATH}b`])('keeps its secrets where the runs lie in %s', async (name) => {
    await given.place.write({ 'project/deploy.pem': 'CANARY' });
    given.api.reply((_, index) => (index === 0 ? toolCall('read_file', { file_path: 'deploy.pem' }) : text('done')));
    const { requests } = await given.place.run({
      tools: 'read-only',
      directory: given.place.at('project'),
      trustedDirectories: [given.place.at('project')],
      runs: given.place.at(name),
    });
    expect(resultsIn(requests)).toHaveLength(1);
    expect(resultsIn(requests).join()).not.toContain('CANARY');
  });

  it('keeps the keys of clients and copies of secrets, in any case and below a directory (KEYFILE-06)', async () => {
    const names = ['.mcp.json', 'sub/.Codex/config.toml', 'SERVER.KEY.1', 'credentials (1).json', '#.env#'];
    await given.place.write(Object.fromEntries(names.map((name) => [`project/${name}`, 'CANARY'])));
    given.api.reply((_, index) => {
      const name = names[index];
      return name === undefined ? text('done') : toolCall('read_file', { file_path: name });
    });
    const { requests } = await given.place.run({
      tools: 'read-only',
      directory: given.place.at('project'),
      trustedDirectories: [given.place.at('project')],
    });
    expect(requests).toHaveLength(names.length + 1);
    expect(resultsIn(requests).join()).toContain('ignored');
    expect(resultsIn(requests).join()).not.toContain('CANARY');
  });
});

describe('the warm runner', () => {
  const warm = useRealCliPlace('warm');

  it.each(['read-only', 'web-search', 'none'] as const)(
    'leaves a trusted directory to others, with tools %s',
    async (tools) => {
      await warm.place.write({ 'project/a.txt': 'a' });
      const directory = warm.place.at('project');
      const { failure, requests } = await warm.place.run({ tools, directory, trustedDirectories: [directory] });
      expect(failure).toEqual({ kind: 'unsupported', feature: 'directory' });
      expect(requests).toEqual([]);
      expect(await readdir(warm.place.root)).toEqual(['project']);
    },
  );
});
