import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../settings/setting.ts';
import { sampleProgram } from '../testing/sample-program.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { type CommandResult, runTerminalCommand } from './run-command.ts';

async function run(...args: readonly string[]): Promise<CommandResult> {
  const { mode, flags } = parseCommandLine(args, sampleProgram);
  if (mode.kind === 'serve') {
    throw new Error('Not a command');
  }
  const started = { nodePath: '/bin/node', programPath: '/opt/server.cjs', environment: {}, currentDirectory: '/' };
  const { signal } = new AbortController();
  return runTerminalCommand({ ...started, program: sampleProgram, version: '1.2.3', mode, flags }, signal);
}

describe('runCommand', () => {
  it('prints its version and nothing else', async () => {
    expect(await run('--version')).toEqual({ output: '1.2.3\n', note: '', exitCode: 0 });
  });

  it('helps', async () => {
    const { output, note, exitCode } = await run('--help');
    expect(output).toMatch(/^sample-server is a sample\./);
    expect({ note, exitCode }).toEqual({ note: '', exitCode: 0 });
  });

  it('prints the settings for a client, and the path of their file on stderr', async () => {
    expect(await run('--print-config', 'codex', '--door=3')).toEqual({
      output: 'codex: /opt/server.cjs door,3\n',
      note: 'Put it anywhere.\n',
      exitCode: 0,
    });
  });

  it('prints nothing where the program refuses', async () => {
    await expect(run('--print-config', 'codex', '--door=9')).rejects.toThrow(
      new ConfigurationError('--door: 9 is locked'),
    );
  });
});
