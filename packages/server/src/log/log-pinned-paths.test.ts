import { expect, it } from 'vitest';
import { logPinnedPaths } from './event-logs.ts';
import type { LogFields } from './log.ts';

it('SWAP-04: says where a directory that is reached by a link was pinned, and nothing of the others', () => {
  const events: (readonly [event: string, fields?: LogFields])[] = [];
  const log = { info: (...event: (typeof events)[number]) => void events.push(event) };
  logPinnedPaths(log, {
    pinnedPaths: new Map([
      ['/project', '/project'],
      ['/srv/docs', '/data/docs'],
    ]),
  });
  expect(events).toEqual([['directory-pinned', { directory: '/srv/docs', realPath: '/data/docs' }]]);
});
