import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { makeSafeDirectory } from '@gemini-mcp/fake-gemini';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace();

describe('the sandbox', () => {
  it('prevents the start if it is missing', async () => {
    const { failure, requests } = await given.place.run({ sandbox: true, path: given.place.at('empty') });
    expect(failure).toEqual({ kind: 'sandbox-missing', excerpt: 'neither docker nor podman was found' });
    expect(requests).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'sees the files of the run, and nothing is sent from outside it',
    async () => {
      const bin = await makeSafeDirectory();
      onTestFinished(() => rm(bin, { recursive: true }));
      const docker = `#!/bin/sh\n[ "$1" = images ] && echo an-image && exit 0\nprintf '%s\\n' "$@" > ${given.place.at('argv')}\n`;
      await writeFile(join(bin, 'docker'), docker, { mode: 0o755 });
      const path = [bin, '/usr/bin', '/bin'].join(delimiter);
      const { requests } = await given.place.run({
        sandbox: true,
        path,
        systemPrompt: 'Be terse.',
      });
      const argv = await readFile(given.place.at('argv'), 'utf8');
      for (const name of ['policy.toml', 'system.md']) {
        expect(argv).toMatch(new RegExp(`^(${given.place.at('runs')}/[^/]+/${name}):\\1:ro$`, 'm'));
      }
      expect(argv).toMatch(
        new RegExp(`^${given.place.at('runs')}/[^/]+/commands:/home/node/\\.gemini/commands:ro$`, 'm'),
      );
      expect(argv).toMatch(/^GEMINI_CLI_HOME=\/home\/node$/m);
      expect(argv).toMatch(/^GEMINI_SYSTEM_MD=.*\/system\.md$/m);
      expect(requests).toEqual([]);
    },
  );

  it('mounts nothing whose name would split its list of mounts', async () => {
    const [runs, path] = [given.place.at('a:b'), given.place.at('empty')];
    const { failure } = await given.place.run({ sandbox: true, runs, path });
    expect(failure).toMatchObject({ kind: 'configuration' });
  });

  it('rejects a message that does not fit into its command line', async () => {
    const { failure } = await given.place.run({
      sandbox: true,
      input: 'é'.repeat(30_001),
      path: given.place.at('empty'),
    });
    expect(failure).toMatchObject({ kind: 'context-too-large', refusal: { measure: 'bytes', actual: 60_002 } });
  });
});

describe('the warm runner', () => {
  const warm = useRealCliPlace('warm');

  it('has no sandbox, and sends nothing without it', async () => {
    const { failure, requests } = await warm.place.run({ sandbox: true });
    expect(failure).toEqual({ kind: 'unsupported', feature: 'sandbox' });
    expect(requests).toEqual([]);
    expect(await readdir(warm.place.root)).toEqual([]);
  });
});
