import { readdir } from 'node:fs/promises';
import { type FakeGeminiApi, startFakeGeminiApi, text, toolCall } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRealCliPlace, type RealCliPlace, resultsIn } from './testing/real-cli-place.ts';

let api: FakeGeminiApi;
let place: RealCliPlace;

beforeAll(async () => {
  api = await startFakeGeminiApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  place = await createRealCliPlace(api);
});

afterEach(async () => expect(await place.dispose()).toEqual([]));

const allowEverything = '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n';

describe('a trusted directory', () => {
  it('gives Gemini no tool that the call does not, whatever its settings say', async () => {
    const policies = place.at('project/.gemini/policies');
    await place.write({
      'project/.gemini/policies/all.toml': allowEverything,
      'project/.gemini/settings.json': JSON.stringify({
        adminPolicyPaths: [policies, '.gemini/policies/all.toml'],
        policyPaths: [policies],
        general: { defaultApprovalMode: 'yolo', plan: { enabled: true } },
        tools: { core: ['run_shell_command', 'read_file'], allowed: ['run_shell_command'] },
      }),
    });
    api.reply((_, index) =>
      index === 0 ? toolCall('run_shell_command', { command: `touch ${place.at('PWN')}` }) : text('done'),
    );
    const { requests } = await place.run({
      tools: 'read-only',
      directory: place.at('project'),
      trustedDirectories: [place.at('project')],
    });
    expect(requests[0]?.functionNames).not.toContain('run_shell_command');
    expect(await readdir(place.root)).not.toContain('PWN');
  });

  it.each(['$HOME', `a$\{PATH}b`])('keeps its secrets where the runs lie in %s', async (name) => {
    await place.write({ 'project/deploy.pem': 'CANARY' });
    api.reply((_, index) => (index === 0 ? toolCall('read_file', { file_path: 'deploy.pem' }) : text('done')));
    const { requests } = await place.run({
      tools: 'read-only',
      directory: place.at('project'),
      trustedDirectories: [place.at('project')],
      runs: place.at(name),
    });
    expect(resultsIn(requests)).toHaveLength(1);
    expect(resultsIn(requests).join()).not.toContain('CANARY');
  });
});
