import type { Configuration } from '../settings/configuration.ts';
import type { Log } from './log.ts';

/** Says which directories of the settings are reached by a link, and where they were pinned: the link is not followed again. */
export function logPinnedPaths(log: Pick<Log, 'info'>, { pinnedPaths }: Pick<Configuration, 'pinnedPaths'>): void {
  for (const [directory, realPath] of pinnedPaths) {
    if (realPath !== directory) {
      log.info('directory-pinned', { directory, realPath });
    }
  }
}
