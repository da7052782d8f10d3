import { describe, expect, it } from 'vitest';
import { startProgram } from './start-program.ts';

/** The code of a failure to start. */
async function failureOf(file: string, args: readonly string[]): Promise<unknown> {
  const start = startProgram(file, args, {});
  return start.started ? 'started' : start.error;
}

describe.skipIf(process.platform === 'win32')('startProgram', () => {
  it.each([
    ['an event of Node (ENOENT)', '/nowhere/program', [], 'ENOENT'],
    ['an exception of Node (a NUL)', '/bin/sh', ['a\0b'], 'ERR_INVALID_ARG_VALUE'],
    ['an exception of the system (E2BIG)', '/bin/sh', ['x'.repeat(5_000_000)], 'E2BIG'],
  ])('reports %s as data', async (_, file, args, code) => {
    expect(await failureOf(file, args)).toMatchObject({ code });
  });

  it('reports how the program ended, even after an error such as a signal that cannot be sent', async () => {
    const start = startProgram('/bin/sh', ['-c', 'read line; exit 3'], {});
    if (!start.started) {
      throw new Error('It was not started');
    }
    start.child.emit('error', new Error('kill EPERM'));
    start.child.stdout.emit('error', new Error('EIO'));
    start.child.stdin.end('go on\n');
    start.child.stdout.resume();
    start.child.stderr.resume();
    expect(await start.closed).toEqual({ exitCode: 3, signal: null });
  });
});
