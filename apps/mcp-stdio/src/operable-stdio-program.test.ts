import {
  type CommandResult,
  ConfigurationError,
  clientNames,
  parseCommandLine,
  runTerminalCommand,
} from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { operableStdioProgram } from './operable-stdio-program.ts';

async function run(...args: readonly string[]): Promise<CommandResult> {
  const { mode, flags } = parseCommandLine(args, operableStdioProgram);
  if (mode.kind === 'serve') {
    throw new Error('Not a command');
  }
  const started = { nodePath: '/bin/node', programPath: '/opt/server.cjs', environment: {}, currentDirectory: '/' };
  const { signal } = new AbortController();
  return runTerminalCommand({ ...started, program: operableStdioProgram, version: '1.2.3', mode, flags }, signal);
}

describe('the commands of the stdio server', () => {
  it('--help names every client and every command', async () => {
    const { output } = await run('--help');
    for (const name of [
      ...clientNames,
      'doctor',
      '--json',
      '--no-call',
      '--print-config',
      '--link',
      '--help',
      '--version',
    ]) {
      expect(output).toContain(name);
    }
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("--print-config prints a client's configuration with the given flags, and its place on stderr", async () => {
    const { output, note, exitCode } = await run('--print-config', 'cursor', '--read-only', '--models', 'a,b');
    const args = ['/opt/server.cjs', '--read-only=1', '--models=a,b'];
    expect(JSON.parse(output)).toEqual({ mcpServers: { gemini: { command: '/bin/node', args } } });
    expect(note).toContain('.cursor/mcp.json');
    expect(exitCode).toBe(0);
  });

  it.each(clientNames)('--print-config knows %s', async (client) => {
    expect((await run('--print-config', client)).output).toContain('/opt/server.cjs');
  });

  it('--print-config with --link prints a link that adds the same entry, if the client has such links', async () => {
    const { output } = await run('--print-config', 'kiro', '--link', '--read-only');
    expect(JSON.parse(new URL(output).searchParams.get('config') ?? '')).toEqual({
      command: '/bin/node',
      args: ['/opt/server.cjs', '--read-only=1'],
    });
    await expect(run('--print-config', 'codex', '--link')).rejects.toThrow(
      '--link: codex cannot install a server from a link. cursor, vscode, kiro, lm-studio can.',
    );
  });

  it('--print-config prints nothing that would prevent a start', async () => {
    await expect(run('--print-config', 'cursor', '--state-dir=here')).rejects.toThrow(
      new ConfigurationError('--state-dir: "here" is not an absolute path'),
    );
  });
});
