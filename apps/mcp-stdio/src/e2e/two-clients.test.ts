import { type CliStep, cliAnswer, whenInvoked } from '@gemini-mcp/fake-gemini';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const secret = 'CANARY-of-alice';
const unknownId = '11111111-2222-4333-8444-555555555555';

/** Everything that a client can list, as one text. */
async function everythingListed(server: ServerProcess): Promise<string> {
  const answers = await Promise.all([
    server.request('resources/list'),
    server.request('resources/read', { uri: 'gemini://sessions' }),
    server.request('resources/read', { uri: 'gemini://answers' }),
    server.call('chat-reply', { prompt: 'x', sessionId: unknownId }),
    server.call('gemini_read', { handle: 'nothing' }),
    server.call('gemini_job', { handle: 'nothing' }),
    complete(server, 'gemini://sessions/{id}', 'id'),
    complete(server, 'gemini://answers/{handle}', 'handle'),
  ]);
  return JSON.stringify(answers);
}

function complete(server: ServerProcess, uri: string, name: string): Promise<unknown> {
  return server.request('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value: '' } });
}

describe('two clients with servers of their own on one state directory', () => {
  let setup: ServerSetup;
  let alice: ServerProcess;
  let bob: ServerProcess;

  beforeEach(async () => {
    setup = await ServerSetup.create();
  });

  afterEach(() => setup.dispose());

  const startBoth = async (run: readonly CliStep[]): Promise<void> => {
    await setup.playCli(run);
    alice = await setup.start({}, { clientName: 'alice' });
    bob = await setup.start({}, { clientName: 'bob' });
  };

  it("never see each other's sessions", async () => {
    await startBoth(cliAnswer(`${secret} answers`));
    const first = await alice.call('chat', { prompt: `${secret} asks` });
    const sessionId = String(first.meta?.['sessionId']);
    const uri = `gemini://sessions/${sessionId}`;
    expect(JSON.stringify(await alice.request('resources/read', { uri }))).toContain(secret);
    const stolen = await bob.call('chat-reply', { prompt: 'x', sessionId });
    expect(stolen).toMatchObject({ isError: true });
    expect(stolen).toEqual(await bob.call('chat-reply', { prompt: 'x', sessionId: unknownId }));
    expect(await bob.call('chat-reply', { prompt: 'goes on with the newest' })).toMatchObject({ isError: true });
    expect((await bob.request('resources/read', { uri })).error?.code).toBe(-32_002);
    const seen = await everythingListed(bob);
    expect(seen).not.toContain(secret);
    expect(seen).not.toContain(sessionId);
    // Only alice has made the CLI run.
    expect(await whenInvoked(setup.cliDirectory, 1)).toHaveLength(1);
  });

  it('no tool reads what the other one keeps, though it lies below the working directory', async () => {
    await setup.playCli(cliAnswer([`answer ${secret}`]));
    alice = await setup.start({}, { clientName: 'alice' });
    await alice.call('chat', { prompt: secret });
    bob = await setup.start({ GEMINI_MCP_ROOTS: setup.root }, { clientName: 'bob' });
    const [kept = ''] = await setup.filesHolding(secret);
    expect(kept).toContain(setup.stateDirectory);
    const named = await bob.call('gemini_context', { files: [kept] });
    expect(named).toMatchObject({ isError: true, text: expect.stringContaining('PATH_OUTSIDE_ROOT') });
    const walked = await bob.call('gemini_context', { directories: [setup.root] });
    expect(walked.text).not.toContain('sessions/');
  });
});
