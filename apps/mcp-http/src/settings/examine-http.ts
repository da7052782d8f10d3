import { createServer } from 'node:http';
import { promisify } from 'node:util';
import type { Check } from '@gemini-mcp/server';
import { discoverKeySetUrl } from '../access/oauth/issuer-keys.ts';
import { readGuardedFile } from '../access/tokens/read-guarded-file.ts';
import { readLocalToken } from '../access/tokens/read-local-token.ts';
import { readPrincipals } from '../access/tokens/read-principals.ts';
import { listen } from '../operation/listen.ts';
import type { HttpConfiguration } from './read-http-configuration.ts';

/** The doctor's probes for the HTTP server. Each resolves to a problem or to null, and never rejects. */
export type HttpProbes = {
  /** Listens there for a moment. */
  findListenProblem(address: { readonly host: string; readonly port: number }): Promise<string | null>;
  /** A missing file passes, because the server creates it. The result contains nothing from the file. */
  findTokenFileProblem(path: string): Promise<string | null>;
  /** The result contains only names from the file. */
  findPrincipalsProblem(path: string): Promise<string | null>;
  /** Asks the issuer for its metadata. */
  findIssuerProblem(issuer: string): Promise<string | null>;
};

/** Checks that the HTTP server could listen, and that its tokens, principals and issuer work. */
export async function examineHttp(http: HttpConfiguration, probes: HttpProbes): Promise<readonly Check[]> {
  const { tokenFile, principalsFile, oauth } = http;
  return Promise.all([
    checkListening(http, probes),
    ...(tokenFile === null ? checkToken(http) : [checkTokenFile(tokenFile, probes)]),
    ...(principalsFile === null ? [] : [checkPrincipals(principalsFile, probes)]),
    ...(oauth === null ? [] : [checkIssuer(oauth.issuer, probes)]),
  ]);
}

async function checkListening({ host, port }: HttpConfiguration, probes: HttpProbes): Promise<Check> {
  const name = 'Address';
  const problem = await probes.findListenProblem({ host, port });
  return problem === null
    ? {
        name,
        status: 'ok',
        found: port === 0 ? `a free port of ${host}` : `port ${port} of ${host} is free`,
        fix: null,
      }
    : {
        name,
        status: 'fail',
        found: problem,
        fix: 'Change it; or nothing, if what listens there is this very server.',
      };
}

function checkToken({ token, principalsFile, oauth }: HttpConfiguration): readonly Check[] {
  if (token !== null) {
    return [{ name: 'Token', status: 'ok', found: 'set (GEMINI_MCP_TOKEN)', fix: null }];
  }
  // With principals or an issuer, the server does not generate a token.
  const isMade = principalsFile === null && oauth === null;
  return isMade ? [{ name: 'Token', status: 'ok', found: 'made at each start, and shown once', fix: null }] : [];
}

async function checkTokenFile(path: string, probes: HttpProbes): Promise<Check> {
  const fix =
    'Make it contain one token and readable only by this user (mode 0600), or set GEMINI_MCP_TOKEN_FILE to another file.';
  return checkOf('Token', `in ${path}`, await probes.findTokenFileProblem(path), fix);
}

async function checkPrincipals(path: string, probes: HttpProbes): Promise<Check> {
  const fix =
    'Correct the file and make it writable only by this user, or set GEMINI_MCP_PRINCIPALS_FILE to another file.';
  return checkOf('Principals', path, await probes.findPrincipalsProblem(path), fix);
}

async function checkIssuer(issuer: string, probes: HttpProbes): Promise<Check> {
  const fix = 'Check GEMINI_MCP_OAUTH_ISSUER: tokens of an issuer whose keys cannot be read are refused.';
  return checkOf('Issuer', issuer, await probes.findIssuerProblem(issuer), fix);
}

function checkOf(name: string, subject: string, problem: string | null, fix: string): Check {
  return problem === null
    ? { name, status: 'ok', found: subject, fix: null }
    : { name, status: 'fail', found: problem, fix };
}

/** Probes with the code that the server itself starts with, so that both find the same. */
export const httpProbes: HttpProbes = {
  findListenProblem: (address) =>
    problemOf(async () => {
      const server = createServer();
      await listen(server, address);
      await promisify(server.close.bind(server))();
    }),
  findTokenFileProblem: (file) =>
    problemOf(async () => {
      // A check must not create a token.
      if ((await readGuardedFile({ path: file, guarded: 'contents', maxBytes: maxTokenFileBytes })) !== null) {
        await readLocalToken({ value: null, file });
      }
    }),
  findPrincipalsProblem: (path) => problemOf(() => readPrincipals(path)),
  findIssuerProblem: (issuer) => problemOf(() => discoverKeySetUrl(issuer, globalThis.fetch)),
};

const maxTokenFileBytes = 16_384;

async function problemOf(attempt: () => Promise<unknown>): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
