import type { Configuration } from '../settings/configuration.ts';
import type { Log } from './log.ts';

/** Logs which directories of the settings are links, and to which paths they were pinned: a link is not followed again. */
export function logPinnedPaths(log: Pick<Log, 'info'>, { pinnedPaths }: Pick<Configuration, 'pinnedPaths'>): void {
  for (const [directory, realPath] of pinnedPaths) {
    if (realPath !== directory) {
      log.info('directory-pinned', { directory, realPath });
    }
  }
}
