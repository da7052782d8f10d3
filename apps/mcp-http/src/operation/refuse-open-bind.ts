import { BlockList, isIP } from 'node:net';

export type BindPlan = {
  /** An address or a name, as configured. */
  readonly host: string;
  /** Whether somebody chose the token: one that is made at start is known to no one elsewhere. */
  readonly hasConfiguredToken: boolean;
  readonly hasPrincipalsFile: boolean;
  readonly hasOAuth: boolean;
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Why the server must not listen there: others than this machine could reach it, and the operator has not said who may use it. Null
 * where it may.
 */
export function refuseOpenBind({ host, hasConfiguredToken, hasPrincipalsFile, hasOAuth }: BindPlan): string | null {
  if (isLoopback(host) || hasConfiguredToken || hasPrincipalsFile || hasOAuth) {
    return null;
  }
  return [
    `GEMINI_MCP_HOST (--host): ${host} can be reached from other machines, and nobody has said who may use the server.`,
    'Set GEMINI_MCP_TOKEN or GEMINI_MCP_TOKEN_FILE to a secret of your own, GEMINI_MCP_PRINCIPALS_FILE, or GEMINI_MCP_OAUTH_ISSUER with GEMINI_MCP_OAUTH_AUDIENCE; or listen on 127.0.0.1.',
    'Tokens cross the network as they are: put a reverse proxy with TLS in front.',
  ].join(' ');
}

/** Whether only this machine reaches what listens on `host`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) {
    return host.toLowerCase() === 'localhost';
  }
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
