import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AuthorizationServer, LoginBrowser, ProtectedServer } from '@gemini-mcp/fake-gemini/login-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

describe('mcp login', () => {
  let setup: ServerSetup;
  let settings: Readonly<Record<string, string>>;
  let issuer: AuthorizationServer;
  let server: ProtectedServer;

  beforeEach(async () => {
    setup = await ServerSetup.create();
    issuer = new AuthorizationServer();
    await issuer.listen();
    server = new ProtectedServer({ issuer });
    await server.listen();
    settings = await setup.writeServers({ tools: { url: server.url } });
  });

  afterEach(async () => {
    await server.close();
    await issuer.close();
    await setup.dispose();
  });

  function start(...args: readonly string[]): ChildProcess & { readonly stdin: object } {
    const env = { ...setup.environment(), ...settings };
    return spawn(process.execPath, [serverPath, 'mcp', ...args], { cwd: setup.project, env });
  }

  async function run(...args: readonly string[]): Promise<string> {
    const { stdout } = start(...args);
    return stdout === null ? '' : await text(stdout);
  }

  /** The link that a login prints. */
  async function linkOf({ stderr }: ChildProcess): Promise<string> {
    for await (const line of createInterface({ input: stderr ?? process.stdin })) {
      const link = line.trim();
      if (link.startsWith('http')) {
        return link;
      }
    }
    throw new Error('no link was printed');
  }

  it('prints a link, waits for the browser, and the server is connected from then on', async () => {
    expect(await run('list', 'tools')).toContain('tools: login required (');
    const login = start('login', 'tools');
    const said = login.stdout === null ? '' : text(login.stdout);
    await new LoginBrowser().open(await linkOf(login));
    expect(await said).toBe(`Logged in to tools at ${issuer.issuer}, with tools\n`);
    expect(await run('list', 'tools')).toContain('tools: connected (');
    expect(await run('logout', 'tools')).toBe('Logged out of tools\n');
    expect(await run('list', 'tools')).toContain('tools: login required (');
  });

  it('takes the address that was copied from a browser on another machine', async () => {
    const login = start('login', 'tools');
    const link = await linkOf(login);
    const redirect = new URL(link).searchParams.get('redirect_uri') ?? '';
    const address = await new LoginBrowser().open(link, redirect);
    login.stdin?.write(`${address}\n`);
    const [exitCode] = await once(login, 'close');
    expect(exitCode).toBe(0);
    expect(await run('list', 'tools')).toContain('tools: connected (');
  });
});
