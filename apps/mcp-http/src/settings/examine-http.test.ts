import type { Check } from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { examineHttp, type HttpProbes } from './examine-http.ts';
import { readHttpConfiguration } from './read-http-configuration.ts';

const sound: HttpProbes = {
  findListenProblem: async () => null,
  findTokenFileProblem: async () => null,
  findPrincipalsProblem: async () => null,
  findIssuerProblem: async () => null,
};

const everyWay = {
  GEMINI_MCP_TOKEN_FILE: '/etc/token',
  GEMINI_MCP_PRINCIPALS_FILE: '/etc/principals.json',
  GEMINI_MCP_OAUTH_ISSUER: 'https://login.example.com',
  GEMINI_MCP_OAUTH_AUDIENCE: 'https://gemini.example.com/mcp',
};

function examine(environment: Record<string, string>, probes: Partial<HttpProbes> = {}): Promise<readonly Check[]> {
  const { http } = readHttpConfiguration({ environment: { HOME: '/home/ada', ...environment }, currentDirectory: '/' });
  return examineHttp(http, { ...sound, ...probes });
}

describe('examineHttp', () => {
  it('reports nothing if nothing is set', async () => {
    expect(await examine({})).toEqual([
      { name: 'Address', status: 'ok', found: 'port 3000 of 127.0.0.1 is free', fix: null },
      { name: 'Token', status: 'ok', found: 'made at each start, and shown once', fix: null },
    ]);
  });

  it('checks every configured kind of access', async () => {
    expect(await examine(everyWay)).toEqual([
      { name: 'Address', status: 'ok', found: 'port 3000 of 127.0.0.1 is free', fix: null },
      { name: 'Token', status: 'ok', found: 'in /etc/token', fix: null },
      { name: 'Principals', status: 'ok', found: '/etc/principals.json', fix: null },
      { name: 'Issuer', status: 'ok', found: 'https://login.example.com', fix: null },
    ]);
  });

  it('needs no token if only principals or an issuer are configured', async () => {
    const checks = await examine({ GEMINI_MCP_PRINCIPALS_FILE: '/etc/principals.json' });
    expect(checks.map(({ name }) => name)).toEqual(['Address', 'Principals']);
  });

  it.each([
    ['Address', 'findListenProblem', /this very server/],
    ['Token', 'findTokenFileProblem', /mode 0600.*GEMINI_MCP_TOKEN_FILE/],
    ['Principals', 'findPrincipalsProblem', /GEMINI_MCP_PRINCIPALS_FILE/],
    ['Issuer', 'findIssuerProblem', /GEMINI_MCP_OAUTH_ISSUER/],
  ] as const)('%s: names the problem and the remedy', async (name, probe, fix) => {
    const checks = await examine(everyWay, { [probe]: async () => 'it is wrong' });
    const failing = checks.filter(({ status }) => status === 'fail');
    expect(failing).toEqual([{ name, status: 'fail', found: 'it is wrong', fix: expect.stringMatching(fix) }]);
  });
});
