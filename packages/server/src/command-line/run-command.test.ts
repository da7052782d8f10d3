import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../settings/configuration-error.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { type CommandResult, runCommand } from './run-command.ts';

async function run(...args: readonly string[]): Promise<CommandResult> {
  const { mode, flags } = parseCommandLine(args);
  if (mode.kind === 'serve') {
    throw new Error('Not a command');
  }
  const program = { version: '1.2.3', nodePath: '/bin/node', programPath: '/opt/server.cjs' };
  const { signal } = new AbortController();
  return runCommand({ ...program, mode, flags, environment: {}, currentDirectory: '/' }, signal);
}

describe('runCommand', () => {
  it('tells its version and nothing else', async () => {
    expect(await run('--version')).toEqual({ output: '1.2.3\n', note: '', exitCode: 0 });
  });

  it('helps', async () => {
    const { output, note, exitCode } = await run('--help');
    expect(output).toContain('--print-config <client>');
    expect({ note, exitCode }).toEqual({ note: '', exitCode: 0 });
  });

  it('prints what a client takes, with the flags that were given, and says elsewhere where it goes', async () => {
    const { output, note, exitCode } = await run('--print-config', 'cursor', '--read-only', '--models', 'a,b');
    const args = ['/opt/server.cjs', '--read-only=1', '--models=a,b'];
    expect(JSON.parse(output)).toEqual({ mcpServers: { gemini: { command: '/bin/node', args } } });
    expect(note).toContain('.cursor/mcp.json');
    expect(exitCode).toBe(0);
  });

  it('prints nothing with which the server would not start', async () => {
    await expect(run('--print-config', 'cursor', '--state-dir=here')).rejects.toThrow(
      new ConfigurationError('--state-dir: "here" is not an absolute path'),
    );
  });
});
