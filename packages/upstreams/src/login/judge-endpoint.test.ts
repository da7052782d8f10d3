import { describe, expect, it } from 'vitest';
import { EndpointJudge, EndpointRefused } from './guarded-fetch.ts';

const names = new Map([
  ['mcp.example.com', ['93.184.216.34']],
  ['login.example.com', ['93.184.216.35']],
  ['rebinding.example.com', ['93.184.216.35', '127.0.0.1']],
  ['metadata.example.com', ['169.254.169.254']],
  ['mcp.corp.example', ['10.0.0.5']],
  ['login.corp.example', ['10.0.0.6']],
  ['here.example.com', ['127.0.0.1']],
]);

async function lookup(host: string): Promise<readonly string[]> {
  const found = names.get(host) ?? (/^[\d.]+$/.test(host) ? [host] : null);
  if (found === null) {
    throw new Error('ENOTFOUND');
  }
  return found;
}

async function judge(server: string, endpoint: string): Promise<string> {
  return await new EndpointJudge(new URL(server), lookup).check(endpoint).then(
    ({ href }) => `asks ${href}`,
    (error: unknown) => (error instanceof EndpointRefused ? 'refuses' : String(error)),
  );
}

describe('EndpointJudge', () => {
  it.each([
    ['https://mcp.example.com/', 'https://login.example.com/token'],
    ['https://mcp.example.com/', 'https://mcp.example.com/token'],
    ['https://mcp.corp.example/', 'https://login.corp.example/token'],
    ['https://mcp.corp.example/', 'https://login.example.com/token'],
    ['https://10.0.0.5/', 'https://10.0.0.6/token'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1:9090/token'],
    ['http://localhost:8080/', 'https://login.example.com/token'],
    // The proxy looks names up, and this machine may be unable to.
    ['https://mcp.example.com/', 'https://unknown.example.org/token'],
  ])('a server at %s may name %s', async (server, endpoint) => {
    expect(await judge(server, endpoint)).toBe(`asks ${endpoint}`);
  });

  it.each([
    ['https://mcp.example.com/', 'javascript:alert(1)'],
    ['https://mcp.example.com/', 'file:///etc/passwd'],
    ['https://mcp.example.com/', 'data:text/html,x'],
    ['https://mcp.example.com/', 'not an address'],
    ['https://mcp.example.com/', 'http://login.example.com/token'],
    ['https://mcp.example.com/', 'https://user:password@login.example.com/'],
    ['https://mcp.example.com/', 'https://127.0.0.1/token'],
    ['https://mcp.example.com/', 'http://127.0.0.1:8080/token'],
    ['https://mcp.example.com/', 'https://[::1]/token'],
    ['https://mcp.example.com/', 'https://192.168.1.1/token'],
    ['https://mcp.example.com/', 'https://intranet/token'],
    ['https://mcp.example.com/', 'https://login.corp.example/token'],
    ['https://mcp.example.com/', 'https://rebinding.example.com/token'],
    ['https://mcp.example.com/', 'https://metadata.example.com/token'],
    ['https://mcp.example.com/', 'https://169.254.169.254/latest'],
    ['https://mcp.corp.example/', 'https://127.0.0.1/token'],
    // Its name leads to this machine, which anyone can arrange.
    ['https://here.example.com/', 'http://127.0.0.1:9090/token'],
    ['http://127.0.0.1:8080/', 'https://169.254.169.254/latest'],
    ['http://127.0.0.1:8080/', 'http://192.168.1.1/token'],
  ])('OAUTH: a server at %s may not name %s', async (server, endpoint) => {
    expect(await judge(server, endpoint)).toBe('refuses');
  });
});
