import { describe, expect, it } from 'vitest';

import { isWindowsTrap } from './allowed-roots.ts';

describe('isWindowsTrap', () => {
  it.each([
    'CON',
    'con',
    'src\\nul.txt',
    'a/COM1',
    'lpt9.log',
    'CONOUT$',
    'x:stream',
    'C:\\a\\b.txt::$DATA',
    '\\\\?\\C:\\x',
    '\\\\host\\share\\x',
    '//host/share/x',
    '\\\\.\\pipe\\x',
    '.env.',
    '.env ',
    'a. /b',
  ])('PATH-20: %s is one', (path) => {
    expect(isWindowsTrap(path)).toBe(true);
  });

  it.each(['a.txt', '..\\a', './a', 'C:\\a\\b.txt', 'C:/a', 'console.ts', 'com10', 'nullable', '.gitignore', ''])(
    '%s is not a device name',
    (path) => {
      expect(isWindowsTrap(path)).toBe(false);
    },
  );
});
