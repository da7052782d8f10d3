import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../operation/listen.ts';
import { httpProbes } from './examine-http.ts';

const token = 'Canary-Token-Of-The-Http-Probes-1234';

describe('httpProbes on this machine', () => {
  let directory: string;
  let server: Server;
  let port: number;
  let metadata: object;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-probes-'));
    server = createServer((_, response) => response.end(JSON.stringify(metadata)));
    ({ port } = await listen(server, { host: '127.0.0.1', port: 0 }));
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });

  it('a free port stays free, and a taken one is reported', async () => {
    const address = { host: '127.0.0.1', port };
    expect(await httpProbes.findListenProblem(address)).toContain(`port ${port} of 127.0.0.1 is in use`);
    expect(await httpProbes.findListenProblem({ host: '127.0.0.1', port: 0 })).toBeNull();
    expect(await httpProbes.findListenProblem({ host: '192.0.2.1', port: 0 })).toContain('192.0.2.1');
  });

  it('a file with a token, private or not', async () => {
    const path = join(directory, 'token');
    expect(await httpProbes.findTokenFileProblem(path)).toBeNull();
    expect(await readdir(directory)).toEqual([]);
    await writeFile(path, `${token}\n`, { mode: 0o600 });
    expect(await httpProbes.findTokenFileProblem(path)).toBeNull();
    await chmod(path, 0o644);
    expect(await httpProbes.findTokenFileProblem(path)).toContain('chmod 600');
    await writeFile(path, token.slice(0, 20));
    await chmod(path, 0o600);
    const problem = await httpProbes.findTokenFileProblem(path);
    expect(problem).toContain(path);
    expect(problem).not.toContain(token.slice(0, 20));
  });

  it('a file with principals: valid, invalid and missing', async () => {
    const path = join(directory, 'principals.json');
    expect(await httpProbes.findPrincipalsProblem(path)).toContain(path);
    await writeFile(path, JSON.stringify({ principals: [{ name: 'ada', tokenSha256: 'a'.repeat(64) }] }));
    await chmod(path, 0o600);
    expect(await httpProbes.findPrincipalsProblem(path)).toBeNull();
    await writeFile(path, JSON.stringify({ principals: [{ name: 'ada', tokenSha256: token }] }));
    const problem = await httpProbes.findPrincipalsProblem(path);
    expect(problem).toContain('tokenSha256');
    expect(problem).not.toContain(token);
  });

  it('an issuer with metadata, with another one’s, and without any', async () => {
    const issuer = `http://127.0.0.1:${port}`;
    metadata = { issuer, jwks_uri: `${issuer}/jwks` };
    expect(await httpProbes.findIssuerProblem(issuer)).toBeNull();
    metadata = { issuer: 'https://else.example.com', jwks_uri: `${issuer}/jwks` };
    expect(await httpProbes.findIssuerProblem(issuer)).toContain('other than GEMINI_MCP_OAUTH_ISSUER');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await httpProbes.findIssuerProblem(issuer)).toContain(issuer);
  });
});
