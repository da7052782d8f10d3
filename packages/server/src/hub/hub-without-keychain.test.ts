import { expect, it } from 'vitest';
import { readKeychain } from './read-keychain.ts';

// In a file of its own: the library keeps the connection of a process that has found a bus once.
it.skipIf(process.platform !== 'linux')(
  'without a keychain there is no secret, not even from the memory of the kernel, and it is said what to do',
  async () => {
    process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/bus';
    expect(await readKeychain('one')).toEqual({
      read: false,
      reason: expect.stringMatching(/^The keychain cannot be used: .*\. Unlock it, or use file: instead\.$/s),
    });
  },
);
