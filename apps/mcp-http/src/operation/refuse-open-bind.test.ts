import { describe, expect, it } from 'vitest';
import { type BindPlan, isLoopback, refuseOpenBind } from '../settings/read-http-configuration.ts';

const nobodyKnown = { hasConfiguredToken: false, hasPrincipalsFile: false, hasOAuth: false };

describe('refuseOpenBind', () => {
  it.each(['0.0.0.0', '::', '192.168.1.5', 'fd00::1', 'server.example.com', '::ffff:10.0.0.1'])(
    'HTTP-20: prevents listening on %s without configured access, and explains the remedy',
    (host) => {
      const refusal = refuseOpenBind({ host, ...nobodyKnown });
      expect(refusal).toContain(`GEMINI_MCP_HOST (--host): ${host} is reachable`);
      for (const way of ['GEMINI_MCP_TOKEN', 'GEMINI_MCP_PRINCIPALS_FILE', 'GEMINI_MCP_OAUTH_ISSUER', 'TLS']) {
        expect(refusal).toContain(way);
      }
    },
  );

  it.each<keyof BindPlan>(['hasConfiguredToken', 'hasPrincipalsFile', 'hasOAuth'])('lets it where %s', (way) => {
    expect(refuseOpenBind({ host: '0.0.0.0', ...nobodyKnown, [way]: true })).toBeNull();
  });

  it.each(['127.0.0.1', '::1', 'localhost'])('allows %s with the generated token', (host) => {
    expect(refuseOpenBind({ host, ...nobodyKnown })).toBeNull();
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost', 'LOCALHOST'])(
    'knows %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each([
    '0.0.0.0',
    '::',
    '128.0.0.1',
    '126.255.255.255',
    '::2',
    '',
    '127.1',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'localhost.',
    ' 127.0.0.1',
    '[::1]',
  ])('does not count %j as configured access', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
