import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientNames } from '../clients/client-names.ts';
import type { SetupMode } from '../command-line/parse-command-line.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { clientPlace } from './client-places.ts';
import { runSetup } from './run-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { SetupRecords } from './setup-records.ts';

const never = new AbortController().signal;
const backup = '.before-gemini-mcp-server';

let home: string;
let context: SetupContext;
let removals: number;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'setup-'));
  context = {
    places: { home, currentDirectory: '/', environment: {}, platform: 'linux' },
    records: new SetupRecords({ HOME: home }),
    server: {
      ...{ command: '/opt/node', args: ['/opt/server.cjs', '--read-only=1'], variables: [] },
      ...{ hasDirectory: false, hasStoredLogin: true },
    },
    findProgram: async () => null,
    run: async () => false,
    removePrograms: async () => {
      removals += 1;
    },
  };
  removals = 0;
});

afterEach(() => rm(home, { recursive: true, force: true }));

const run = (clients: readonly string[], options: Partial<SetupMode> = {}): Promise<CommandResult> =>
  runSetup({ kind: 'setup', clients, isDryRun: false, undo: false, replaces: false, ...options }, context, never);

const path = (...names: readonly string[]): string => join(home, ...names);

async function put(name: string, text: string): Promise<string> {
  await mkdir(dirname(path(name)), { recursive: true });
  await writeFile(path(name), text);
  return path(name);
}

const read = (name: string): Promise<string> => readFile(path(name), 'utf8');

describe('setup', () => {
  it.each(clientNames)('writes %s, says nothing new the second time, and takes it back', async (client) => {
    const file = clientPlace(client, context.places).files.at(-1) ?? '';
    const added = await run([client]);
    expect(added).toMatchObject({ exitCode: 0, output: `${client}  added      ${file}\n` });
    const text = await readFile(file, 'utf8');
    expect(text).toContain('/opt/server.cjs');
    expect(text).not.toMatch(/<[^>]+>/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await run([client])).toEqual({ exitCode: 0, output: `${client}  unchanged  ${file}\n`, note: '' });
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await run([client], { undo: true })).output).toBe(`${client}  restored   ${file}\n`);
    expect(existsSync(file)).toBe(false);
  });

  it('finds the clients that were started here or are on PATH, and no other', async () => {
    await mkdir(path('.cursor'));
    await put('.codex/config.toml', 'model = "x"\n');
    await mkdir(path('.gemini'));
    const found = await runSetup(
      { kind: 'setup', clients: [], isDryRun: true, undo: false, replaces: false },
      { ...context, findProgram: async (name) => (name === 'opencode' ? '/usr/bin/opencode' : null) },
      never,
    );
    expect(found.output.match(/^[a-z-]+ +added/gm)?.map((line) => line.split(' ')[0])).toEqual([
      'codex',
      'cursor',
      'opencode',
    ]);
  });

  it('says so without any client', async () => {
    expect(await run([])).toMatchObject({ exitCode: 1, note: expect.stringMatching(/^No client was found/) });
  });

  it('refuses an unknown client, with the nearest name', async () => {
    await expect(run(['curser'])).rejects.toThrow('setup: "curser" is not a known client. Did you mean cursor?');
  });

  it('keeps comments and other servers, and has a backup of the bytes before', async () => {
    const before = '{\n  // mine\n  "mcpServers": {\n    "a": { "env": { "KEY": "secret" } } // theirs\n  }\n}\n';
    const file = await put('.cursor/mcp.json', before);
    await chmod(file, 0o640);
    await run(['cursor']);
    expect(await read('.cursor/mcp.json')).toMatch(/\/\/ mine\n[\s\S]*"secret"[\s\S]*\/\/ theirs\n[\s\S]*"gemini": \{/);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await read(`.cursor/mcp.json${backup}`)).toBe(before);
    expect((await stat(`${file}${backup}`)).mode & 0o777).toBe(0o600);
    await run([], { undo: true });
    expect(await read('.cursor/mcp.json')).toBe(before);
    expect(await readdir(path('.cursor'))).toEqual(['mcp.json']);
  });

  it('shows the changed lines alone, and writes nothing, in a dry run', async () => {
    const before = '{\n  "mcpServers": {\n    "a": { "env": { "KEY": "secret" } },\n    "b": {}\n  }\n}\n';
    await put('.cursor/mcp.json', before);
    const { output, note } = await run(['cursor'], { isDryRun: true });
    expect(output).toMatch(/^--- a\/.*mcp\.json\n\+\+\+ b\/.*mcp\.json\n/);
    expect(output).toContain('+      "command": "/opt/node",');
    expect(output).not.toContain('secret');
    expect(note).toContain('Nothing was written.');
    expect(await read('.cursor/mcp.json')).toBe(before);
    expect(await readdir(home)).toEqual(['.cursor']);
  });

  it('keeps an entry that was changed by hand, unless told to replace it, and puts it back', async () => {
    await run(['cursor']);
    const mine = (await read('.cursor/mcp.json')).replace('--read-only=1', '--read-only=0');
    await put('.cursor/mcp.json', mine);
    const kept = await run(['cursor']);
    expect(kept.output).toMatch(/^cursor {2}kept .*changed by hand\. Replace it: setup cursor --replace\n$/);
    expect(await read('.cursor/mcp.json')).toBe(mine);
    expect((await run(['cursor'], { undo: true })).output).toMatch(/^cursor {2}kept /);
    expect((await run(['cursor'], { replaces: true })).output).toMatch(/^cursor {2}replaced /);
    expect(await read('.cursor/mcp.json')).toContain('--read-only=1');
    await run(['cursor'], { undo: true });
    expect(await read('.cursor/mcp.json')).toBe(mine);
  });

  it('removes copies of the server once no client starts one', async () => {
    await run(['cursor', 'codex']);
    await run(['cursor'], { undo: true });
    await run(['codex'], { undo: true, isDryRun: true });
    expect(removals).toBe(0);
    await run(['codex'], { undo: true });
    expect(removals).toBe(1);
  });

  it('updates its own entry when the server has moved', async () => {
    await run(['cursor']);
    context = { ...context, server: { ...context.server, args: ['/opt/new.cjs'] } };
    expect((await run(['cursor'])).output).toMatch(/^cursor {2}updated /);
    expect(await read('.cursor/mcp.json')).toContain('/opt/new.cjs');
  });

  it.each([
    ['restores every byte', '{ "mcpServers": {} }', (text: string) => text, '{ "mcpServers": {} }'],
    [
      'keeps other changes',
      '{ "mcpServers": {} }',
      (text: string) => text.replace('{', '{ "theme": 1,'),
      '{ "theme": 1, "mcpServers": {} }',
    ],
  ])('after an update, undo %s', async (_, before, change, after) => {
    await put('.cursor/mcp.json', before);
    await run(['cursor']);
    await put('.cursor/mcp.json', change(await read('.cursor/mcp.json')));
    context = { ...context, server: { ...context.server, args: ['/opt/new.cjs'] } };
    await run(['cursor']);
    await run(['cursor'], { undo: true });
    expect(JSON.parse(await read('.cursor/mcp.json'))).toEqual(JSON.parse(after));
    expect(await readdir(path('.cursor'))).toEqual(['mcp.json']);
  });

  it.each([
    ['{ "mcpServers": {', 'is not valid JSON'],
    ['[]', 'is not valid JSON'],
    ['{ "mcpServers": 1 }', 'cannot be changed safely'],
  ])('leaves the damaged settings %j as they are', async (text, problem) => {
    await put('.cursor/mcp.json', text);
    const { exitCode, output } = await run(['cursor']);
    expect(exitCode).toBe(1);
    expect(output).toContain(problem);
    expect(output).toContain('Nothing was changed there. The entry to add by hand: --print-config cursor');
    expect(await read('.cursor/mcp.json')).toBe(text);
    expect(await readdir(path('.cursor'))).toEqual(['mcp.json']);
  });

  it('leaves settings alone that are not UTF-8, read-only, or no file', async () => {
    const file = await put('.cursor/mcp.json', '{}');
    await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect((await run(['cursor'])).output).toContain('is not UTF-8');
    await writeFile(file, '{}');
    await chmod(file, 0o444);
    expect((await run(['cursor'])).output).toContain('is read-only');
    await rm(file);
    await mkdir(file);
    expect((await run(['cursor'])).output).toContain('is not a file');
  });

  it.skipIf(process.getuid?.() !== 0)('leaves the settings of another user alone', async () => {
    await chown(await put('.cursor/mcp.json', '{}'), 1_001, 1_001);
    const { exitCode, output } = await run(['cursor']);
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: expect.stringContaining('belongs to another user') });
    expect(await read('.cursor/mcp.json')).toBe('{}');
  });

  it('writes nothing over a change that an editor makes in the meantime', async () => {
    await put('.claude.json', '{}');
    const edited = '{ "mcpServers":';
    const edit = async (): Promise<boolean> => {
      await put('.claude.json', edited);
      return false;
    };
    context = { ...context, findProgram: async () => '/usr/bin/claude', run: edit };
    const { exitCode, output } = await run(['claude-code']);
    expect(exitCode).toBe(1);
    expect(output).toContain('was changed by another program at the same time');
    expect(await read('.claude.json')).toBe(edited);
  });

  it('writes through a link, and not through one that leads nowhere', async () => {
    const target = await put('dotfiles/mcp.json', '{}\n');
    await mkdir(path('.cursor'));
    await symlink(target, path('.cursor/mcp.json'));
    expect((await run(['cursor'])).exitCode).toBe(0);
    expect(await read('dotfiles/mcp.json')).toContain('/opt/server.cjs');
    await symlink(path('nowhere'), path('.codex'));
    expect(await run(['codex'])).toMatchObject({ exitCode: 1 });
    expect(existsSync(path('nowhere'))).toBe(false);
  });

  it('sets up the others if one fails', async () => {
    await put('.cursor/mcp.json', '{');
    await put('.codex/config.toml', '# mine\nmodel = "x"\n');
    const { exitCode, output } = await run(['cursor', 'codex']);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^cursor {2}failed .*\ncodex {3}added /);
    expect(await read('.codex/config.toml')).toMatch(/^# mine\nmodel = "x"\n\n\[mcp_servers\.gemini\]\ncommand = /);
  });

  it('has nothing to undo at first, and names a client that it never set up', async () => {
    expect(await run([], { undo: true })).toMatchObject({
      exitCode: 0,
      note: expect.stringMatching(/^Nothing to undo/),
    });
    expect((await run(['zed'], { undo: true })).note).toBe('zed was not set up by this command.\n');
  });
});

describe('setup of Claude Code by its own command', () => {
  const file = () => path('.claude.json');

  /** Changes the settings as Claude Code does. */
  async function claude(_: string, args: readonly string[]): Promise<boolean> {
    const settings = JSON.parse(await readFile(file(), 'utf8').catch(() => '{}'));
    const { gemini: _removed, ...others } = settings.mcpServers ?? {};
    const added = args[1] === 'add-json' ? { gemini: { ...JSON.parse(args.at(-1) ?? ''), env: {} } } : {};
    await writeFile(file(), JSON.stringify({ ...settings, mcpServers: { ...others, ...added } }));
    return true;
  }

  it('takes what the client made of the entry for its own', async () => {
    const calls: string[] = [];
    context = {
      ...context,
      findProgram: async (name) => (name === 'claude' ? '/usr/bin/claude' : null),
      run: async (program, args) => {
        calls.push([program, ...args.slice(0, 2)].join(' '));
        return await claude(program, args);
      },
    };
    await put('.claude.json', '{"numStartups": 3}');
    expect((await run(['claude-code'])).output).toMatch(/added/);
    expect(JSON.parse(await read('.claude.json'))).toEqual({
      numStartups: 3,
      mcpServers: {
        gemini: { type: 'stdio', command: '/opt/node', args: ['/opt/server.cjs', '--read-only=1'], env: {} },
      },
    });
    expect((await run(['claude-code'])).output).toMatch(/unchanged/);
    context = { ...context, server: { ...context.server, args: ['/opt/new.cjs'] } };
    expect((await run(['claude-code'])).output).toMatch(/updated/);
    expect(calls).toEqual([
      '/usr/bin/claude mcp add-json',
      '/usr/bin/claude mcp remove',
      '/usr/bin/claude mcp add-json',
    ]);
    await run(['claude-code'], { undo: true });
    expect(JSON.parse(await read('.claude.json')).mcpServers ?? {}).toEqual({});
  });

  it('writes the file itself if the command fails', async () => {
    context = { ...context, findProgram: async () => '/usr/bin/claude', run: async () => false };
    expect((await run(['claude-code'])).output).toMatch(/added/);
    expect(await read('.claude.json')).toContain('/opt/server.cjs');
  });
});
