import type { Clock } from '@gemini-mcp/core';
import type { Log } from '@gemini-mcp/server';
import type { Access } from '../open-access.ts';
import { readPrincipals, type StaticToken, stampOf } from './read-principals.ts';

export type WatchPrincipalsOptions = {
  readonly path: string;
  readonly access: Pick<Access, 'staticTokens' | 'principals' | 'stamp' | 'hasSeveralOwners'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

/** Someone who has left must not have to wait for a restart. */
const pauseMs = 2_000;

/**
 * Reads the principals file again when it has changed, until `signal` is aborted. Who has left the file gets 401 from then on. A damaged file changes nothing, and
 * the log names the mistake. Never rejects.
 */
export async function watchPrincipals(options: WatchPrincipalsOptions, signal: AbortSignal): Promise<void> {
  const { path, clock } = options;
  let seen = options.access.stamp;
  while (!signal.aborted) {
    const stamp = await stampOf(path);
    if (stamp !== seen) {
      seen = stamp;
      await readAgain(options);
    }
    await clock.sleep(pauseMs, signal).catch(() => undefined);
  }
}

async function readAgain({ path, access, log }: WatchPrincipalsOptions): Promise<void> {
  const { staticTokens } = access;
  try {
    const listed = await readPrincipals(path);
    const taken = listed.filter((token) => !needsRestart(token, access));
    for (const { principal } of listed.filter((token) => !taken.includes(token))) {
      log.warn('principal-waits', {
        principal: principal.name,
        fix: 'Restart the server: it has to prepare for this entry.',
      });
    }
    staticTokens.replace(taken);
    log.info('principals-read', { principals: taken.length });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.error('principals-not-read', { reason, until: 'The earlier entries count until the file is right.' });
  }
}

/** The server has settled at its start which directories its programs may see, and whether it is shared. */
function needsRestart(
  { principal }: StaticToken,
  { principals, hasSeveralOwners }: WatchPrincipalsOptions['access'],
): boolean {
  const known = new Set(principals.flatMap(({ roots }) => roots ?? []));
  const isFurther = !hasSeveralOwners && principals.every(({ owner }) => owner !== principal.owner);
  return isFurther || (principal.roots ?? []).some((root) => !known.has(root));
}
