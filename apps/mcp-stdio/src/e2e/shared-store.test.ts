import { runTestProgram, type TestProgramEnd } from '@gemini-mcp/fake-gemini';
import { FaultyProxy, hasRedisServer, RedisServer } from '@gemini-mcp/fake-gemini/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe.skipIf(!hasRedisServer)('the built binary with a shared store (needs redis-server)', () => {
  const redis = new RedisServer();
  const proxy = new FaultyProxy(redis.path);
  let setup: ServerSetup;

  beforeAll(async () => {
    setup = await ServerSetup.create();
    await redis.start();
    await proxy.open();
  });

  afterAll(async () => {
    await setup.dispose();
    await proxy.close();
    await redis.dispose();
  });

  const run = (...args: readonly string[]): Promise<TestProgramEnd> => {
    const environment = { ...setup.environment(), GEMINI_MCP_STORE: `redis://127.0.0.1:${proxy.port}` };
    return runTestProgram({ file: serverPath, args, cwd: setup.project, environment });
  };

  it('lists conversations from it, and ends with the reason if it is away', async () => {
    expect(await run('sessions', '--json')).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    await proxy.close();
    const why = `the shared store at redis://127.0.0.1:${proxy.port} is not reachable: check that it runs (ECONNREFUSED)`;
    expect(await run('sessions', '--json')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining(`The stored data cannot be read: ${why}.`),
    });
    expect((await run('doctor', '--no-call')).stdout).toMatch(
      /fail {2}Shared store +the shared store at .* is not reach/,
    );
  });
});
