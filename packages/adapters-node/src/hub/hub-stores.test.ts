import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerLists, ToolPin } from '@gemini-mcp/core/internal';
import {
  describeKeptListsContract,
  describeKeptPinsContract,
  recordsInTemporaryDirectory,
} from '@gemini-mcp/port-contracts/internal';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileKeptLists } from './file-kept-lists.ts';
import { FileKeptPins } from './file-kept-pins.ts';
import { FileProjectApprovals } from './file-project-approvals.ts';
import { readSecretFile } from './read-secret-file.ts';
import { SettingsTextFile } from './settings-text.ts';

const signal = new AbortController().signal;
const key = 'a'.repeat(64);
const other = 'b'.repeat(64);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hub-stores-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const laterRecord = '{"format":2}';

describeKeptListsContract({
  name: 'FileKeptLists',
  ...recordsInTemporaryDirectory((records) => new FileKeptLists(records), { laterRecord }),
});

describeKeptPinsContract({
  name: 'FileKeptPins',
  ...recordsInTemporaryDirectory((records) => new FileKeptPins(records), { laterRecord }),
});

function listsOf(...names: readonly string[]): ServerLists {
  // As JSON has it: a literal would set the prototype.
  const properties: unknown = JSON.parse('{ "__proto__": { "type": "string" } }');
  const tools = names.map((name) => ({
    name,
    title: null,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties },
    outputSchema: null,
    annotations: {},
  }));
  return { tools, prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 1 };
}

const pinOf = (tool: string, definition = 'one'): ToolPin => ({ tool, digest: 'c'.repeat(64), definition });

const places = { lists: () => join(directory, 'hub', 'lists'), pins: () => join(directory, 'hub', 'pins', key) };

describe('FileKeptLists', () => {
  it('keeps them in private files', async () => {
    await new FileKeptLists(directory).save(key, listsOf('look'), signal);
    expect((await stat(join(places.lists(), `${key}.json`))).mode & 0o777).toBe(0o600);
    expect((await stat(places.lists())).mode & 0o777).toBe(0o700);
  });

  it.each(['', '{', '[]', '{"format":1}', `{"format":2,"key":"${key}","lists":{}}`])(
    'a record that is damaged is none: %j',
    async (text) => {
      const kept = new FileKeptLists(directory);
      await kept.save(key, listsOf('look'), signal);
      await writeFile(join(places.lists(), `${key}.json`), text);
      expect(await kept.load(key, signal)).toBeNull();
    },
  );

  it('a record that was moved, or that others may write, is none', async () => {
    const kept = new FileKeptLists(directory);
    await kept.save(key, listsOf('look'), signal);
    await rename(join(places.lists(), `${key}.json`), join(places.lists(), `${other}.json`));
    expect(await kept.load(other, signal)).toBeNull();
    await kept.save(key, listsOf('look'), signal);
    await chmod(join(places.lists(), `${key}.json`), 0o666);
    expect(await kept.load(key, signal)).toBeNull();
  });

  it('names that are no digests lead nowhere else', async () => {
    const kept = new FileKeptLists(directory);
    await kept.save('../../../escape', listsOf('look'), signal);
    expect(await kept.load('../../../escape', signal)).toEqual(listsOf('look'));
    expect(await readdir(join(directory, '..'))).not.toContain('escape.json');
    expect(await readdir(directory)).toEqual(['hub']);
  });

  it('the drafts of writers that were killed go', async () => {
    await mkdir(places.lists(), { recursive: true, mode: 0o700 });
    const draft = join(places.lists(), `.${key}.json-0`);
    await writeFile(draft, '{');
    await utimes(draft, 0, 0);
    await new FileKeptLists(directory).save(key, listsOf('look'), signal);
    expect(await readdir(places.lists())).toEqual([`${key}.json`]);
  });
});

describe('FileKeptPins', () => {
  it.skipIf(process.platform === 'win32')('keeps them in private files', async () => {
    await new FileKeptPins(directory).add(key, [pinOf('look')], signal);
    for (const name of await readdir(places.pins())) {
      expect((await stat(join(places.pins(), name))).mode & 0o777).toBe(0o600);
    }
  });

  it('many additions become few files, and none is lost', async () => {
    const writers = Array.from({ length: 5 }, () => new FileKeptPins(directory));
    await Promise.all(
      writers.map(async (kept, writer) => {
        for (let index = 0; index < 20; index += 1) {
          expect(await kept.add(key, [pinOf(`${writer}-${index}`)], signal)).toBeNull();
        }
      }),
    );
    const pins = (await new FileKeptPins(directory).load(key, signal)) ?? [];
    expect(new Set(pins.map(({ tool }) => tool)).size).toBe(100);
    expect((await readdir(places.pins())).length).toBeLessThan(30);
  });

  it('joins its files in a new one, so that it replaces none to which another writer has joined more', async () => {
    const kept = new FileKeptPins(directory);
    const namesIn = (): Promise<string[]> => readdir(places.pins());
    for (let index = 0; index < 8; index += 1) {
      await kept.add(key, [pinOf(`${index}`)], signal);
    }
    const before = await namesIn();
    await kept.add(key, [pinOf('8')], signal);
    const after = await namesIn();
    expect([before.length, after.length]).toEqual([8, 2]);
    expect(after.filter((name) => before.includes(name))).toEqual([]);
    expect((await kept.load(key, signal))?.length).toBe(9);
  });

  it('is empty, and not never seen, where something else is in the place of its files', async () => {
    const kept = new FileKeptPins(directory);
    await kept.add(key, [pinOf('look')], signal);
    await rm(places.pins(), { recursive: true });
    await writeFile(places.pins(), '');
    expect(await kept.load(key, signal)).toEqual([]);
  });

  it('says why it cannot keep them', async () => {
    const kept = new FileKeptPins(directory);
    await kept.add(key, [pinOf('look')], signal);
    await chmod(places.pins(), 0o755);
    expect(await kept.add(key, [pinOf('see')], signal)).toMatch(/^What the tools are approved as could not be kept: /);
  });

  it('a writer that is killed loses nothing of what was kept', async () => {
    const program = join(directory, 'add.mjs');
    await build({
      stdin: {
        contents: `
          import { FileKeptPins } from './file-kept-pins.ts';
          const kept = new FileKeptPins(process.argv[2]);
          const definition = 'x'.repeat(2_000_000);
          for (let index = 0; ; index += 1) {
            await kept.add(process.argv[3], [{ tool: 'tool-' + index % 3, digest: 'c'.repeat(64), definition }], new AbortController().signal);
            process.stdout.write('.');
          }`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      conditions: ['@gemini-mcp/source'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'silent',
    });
    const kept = new FileKeptPins(directory);
    await kept.add(key, [pinOf('mine')], signal);
    for (let round = 0; round < 5; round += 1) {
      const writer = spawn(process.execPath, [program, directory, key], { stdio: ['ignore', 'pipe', 'inherit'] });
      let written = 0;
      for await (const chunk of writer.stdout) {
        written += String(chunk).length;
        if (written > 3 + round * 2) {
          writer.kill('SIGKILL');
          break;
        }
      }
      await once(writer, 'exit');
      const pins = await new FileKeptPins(directory).load(key, signal);
      expect(pins?.map(({ tool }) => tool).sort()).toEqual(['mine', 'tool-0', 'tool-1', 'tool-2']);
    }
  });
});

describe('FileProjectApprovals', () => {
  it('holds for one content in one place, until its file is gone or changed', async () => {
    const approvals = new FileProjectApprovals(directory);
    const settings = { directory: '/home/ada/project', digest: 'd'.repeat(64) };
    expect(await approvals.isApproved(settings)).toBe(false);
    expect(await approvals.approve(settings, 5)).toBeNull();
    expect(await new FileProjectApprovals(directory).isApproved(settings)).toBe(true);
    expect(await approvals.isApproved({ ...settings, digest: 'e'.repeat(64) })).toBe(false);
    expect(await approvals.isApproved({ ...settings, directory: '/home/ada/other' })).toBe(false);
    const [name = ''] = await readdir(join(directory, 'hub', 'projects'));
    const path = join(directory, 'hub', 'projects', name);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ format: 1, ...settings, approvedAtMs: 5 });
    await writeFile(path, JSON.stringify({ format: 1, ...settings, directory: '/', approvedAtMs: 5 }));
    expect(await approvals.isApproved(settings)).toBe(false);
  });
});

describe('SettingsTextFile', () => {
  const path = () => join(directory, 'settings.json');
  const user = () => new SettingsTextFile({ path: path(), writer: 'user' });

  it('is the same object until the file has changed, however soon and alike', async () => {
    const file = user();
    expect(await file.read()).toEqual({ type: 'none' });
    await writeFile(path(), '{"a":1}', { mode: 0o600 });
    const first = await file.read();
    expect(first).toMatchObject({ type: 'text', text: '{"a":1}' });
    expect(await file.read()).toBe(first);
    await writeFile(path(), '{"a":2}');
    expect(await file.read()).toMatchObject({ text: '{"a":2}' });
    await rm(path());
    expect(await file.read()).toEqual({ type: 'none' });
  });

  it.runIf(process.platform !== 'win32')('does not count where others may write it', async () => {
    await writeFile(path(), '{}');
    await chmod(path(), 0o602);
    expect(await user().read()).toMatchObject({ type: 'refused', reason: expect.stringContaining('chmod go-w') });
    expect(await new SettingsTextFile({ path: path(), writer: 'anyone' }).read()).toMatchObject({ type: 'text' });
  });

  it.runIf(process.platform === 'linux')('of an administrator lies where no one else may write', async () => {
    await writeFile(path(), '{}', { mode: 0o600 });
    const own = new SettingsTextFile({ path: path(), writer: 'administrator' });
    expect(await own.read()).toMatchObject({ type: 'refused', reason: expect.stringContaining('does not count') });
    const system = new SettingsTextFile({ path: '/etc/passwd', writer: 'administrator' });
    expect(await system.read()).toMatchObject({ type: 'text' });
    const link = join(directory, 'link');
    await symlink('/etc/passwd', link);
    const linked = new SettingsTextFile({ path: link, writer: 'administrator' });
    expect(await linked.read()).toMatchObject({ type: 'refused' });
  });

  it('a directory, and a file that is too large, are refused', async () => {
    await mkdir(path());
    expect(await user().read()).toMatchObject({ type: 'refused' });
    await rm(path(), { recursive: true });
    await writeFile(path(), 'x'.repeat(4_000_001), { mode: 0o600 });
    expect(await user().read()).toEqual({ type: 'refused', reason: 'has more than 4000000 bytes' });
  });
});

describe('readSecretFile', () => {
  it.runIf(process.platform !== 'win32').each([0o644, 0o640, 0o602, 0o620])(
    'UPSTREAM-L3: does not read a file of the mode %o',
    async (mode) => {
      const path = join(directory, 'token');
      await writeFile(path, 's3cret');
      await chmod(path, mode);
      expect(await readSecretFile(path)).toEqual({
        read: false,
        reason: 'can be read or changed by other users. Close it with: chmod 600',
      });
    },
  );

  it('has the content without the line break at its end, and of nothing else', async () => {
    const path = join(directory, 'token');
    await writeFile(path, 's3cret\r\n', { mode: 0o600 });
    expect(await readSecretFile(path)).toEqual({ read: true, text: 's3cret' });
    await writeFile(path, 'x'.repeat(65_537));
    expect(await readSecretFile(path)).toEqual({ read: false, reason: 'has more than 65536 bytes' });
    expect(await readSecretFile(directory)).toEqual({ read: false, reason: 'is no file' });
    expect(await readSecretFile(join(directory, 'none'))).toEqual({ read: false, reason: 'cannot be read (ENOENT)' });
    expect(await readSecretFile(join(directory, 'a\0b'))).toMatchObject({ read: false });
  });
});
