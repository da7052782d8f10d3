import { describe, expect, it } from 'vitest';
import { httpStatusOfExitCode } from './run-recorder.ts';

describe('httpStatusOfExitCode', () => {
  it.each([
    [144, 400],
    [145, 401],
    [147, 403],
    [173, 429],
    [244, 500],
    [247, 503],
    [248, 504],
  ])('CLI-06: exit code %i is HTTP %i', (exitCode, status) => {
    expect(httpStatusOfExitCode(exitCode)).toBe(status);
  });

  it.each([null, 0, 1, 41, 42, 44, 52, 53, 54, 55, 126, 127, 130, 137, 139, 143])(
    'CLI-06: exit code %s is not an HTTP status',
    (exitCode) => {
      expect(httpStatusOfExitCode(exitCode)).toBeNull();
    },
  );
});
