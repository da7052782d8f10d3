import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { discoverKeySetUrl } from '../../access/oauth/discover-key-set-url.ts';
import { readGuardedFile } from '../../access/tokens/read-guarded-file.ts';
import { readLocalToken } from '../../access/tokens/read-local-token.ts';
import { readPrincipals } from '../../access/tokens/read-principals.ts';
import { listen } from '../../operation/listen.ts';
import type { HttpProbes } from './examine-http.ts';

/** Looks by the code that the server itself starts with, so that both find the same. */
export const httpProbes: HttpProbes = {
  findListenProblem: (address) =>
    problemOf(async () => {
      const server = createServer();
      await listen(server, address);
      await promisify(server.close.bind(server))();
    }),
  findTokenFileProblem: (file) =>
    problemOf(async () => {
      // A look makes no token.
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
