import type {
  ChangedFile,
  CommandReport,
  CommandRequest,
  StepRefusal,
  UnsavedChanges,
  Workspace,
} from '@gemini-mcp/core';
import { viewLines } from '@gemini-mcp/core/internal';
import { describe, expect, it } from 'vitest';
import { ProjectWithTools, viewed } from './testing/project-with-tools.ts';

const readers = ['view_file', 'look_at', 'list_files', 'search_files'];
const writers = ['put_file', 'change_file', 'modify_file'];

const changed: ChangedFile = {
  path: 'a.ts',
  kind: 'modified',
  diff: '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-one\n+two\n',
  addedLines: 1,
  removedLines: 1,
  hash: 'h2',
  sizeBytes: 4,
  notes: [],
};

const ran: CommandReport = {
  handle: null,
  end: { type: 'exited', exitCode: 1 },
  output: 'not ok\n',
  outputBytes: 7,
  durationMs: 2_100,
  changes: [],
};

describe('the tools on a project', () => {
  it.each([
    ['plan', true, readers],
    ['edit', true, [...readers, ...writers]],
    ['full', true, [...readers, ...writers, 'run_command', 'poll_command']],
    ['full', false, [...readers, ...writers]],
  ] as const)('are those of the mode: %s, commands: %s', async (mode, runsCommands, names) => {
    expect(await new ProjectWithTools({ mode, runsCommands }).names()).toEqual(names);
  });

  it('have names and schemas that the Gemini CLI and the API accept', async () => {
    const tools = await new ProjectWithTools().tools.list(new AbortController().signal);
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z][a-z_]{1,62}$/);
      expect(name).not.toMatch(/write|edit|replace|patch|update|create|append|save/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('refuse a tool that the mode does not have', async () => {
    const project = new ProjectWithTools({ mode: 'plan' });
    const result = await project.call('put_file', { file_path: 'a', content: 'x' });
    expect(result).toMatchObject({ isDone: false, data: { code: 'not-found', retriable: false } });
    expect(result.text).toBe(
      'Refused: This run has no such tool. The tools are: view_file, look_at, list_files, search_files.',
    );
  });

  it.each([
    ['view_file', {}, 'file_path: missing'],
    ['view_file', { file_path: 'a', start_line: 0 }, 'start_line: at least 1, not 0'],
    ['view_file', { path: 'a' }, '"path": no such argument'],
    ['change_file', { file_path: 'a', old_string: '', new_string: 'x' }, 'old_string: at least 1 character, not 0'],
    ['modify_file', { file_path: 'a', replacements: [] }, 'replacements: at least 1 item, not 0'],
    ['modify_file', { file_path: 'a', replacements: [{ old_string: 'a' }] }, 'replacements[0].new_string: missing'],
    ['run_command', { command: 7 }, 'command: must be a string, not 7'],
  ])('refuse wrong arguments of %s: %j', async (name, args, words) => {
    const result = await new ProjectWithTools().call(name, args);
    expect(result).toMatchObject({ isDone: false, data: { code: 'invalid-arguments' } });
    expect(result.text).toMatch(/^Refused: /);
    expect(result.text).toContain(words);
  });

  it('drop the arguments that the Gemini CLI adds', async () => {
    const project = new ProjectWithTools({ steps: { viewFile: async () => viewed('one\n') } });
    const result = await project.call('view_file', { file_path: 'a.ts', wait_for_previous: true });
    expect(result.isDone).toBe(true);
  });

  it('explain a refusal (what, why and what to do), in words and as data', async () => {
    expect(await new ProjectWithTools().call('view_file', { file_path: 'x' })).toEqual({
      text: 'Refused: There is no such file. List the directory.',
      data: { code: 'not-found', message: 'There is no such file.', hint: 'List the directory.', retriable: false },
      isDone: false,
    });
  });

  it('refuse a step that fails because of a bug, and report it', async () => {
    const project = new ProjectWithTools({
      steps: {
        viewFile: async () => {
          throw new Error('a bug');
        },
      },
    });
    const result = await project.call('view_file', { file_path: 'a.ts' });
    expect(result).toEqual({
      text: 'Refused: The tool failed. Continue without it.',
      data: { code: 'failed', message: 'The tool failed.', hint: 'Continue without it.', retriable: false },
      isDone: false,
    });
    expect(project.log.account.refusals.count).toBe(1);
  });

  it('refuse a step that exceeds the budget', async () => {
    const project = new ProjectWithTools({ maxSteps: 1, steps: { viewFile: async () => viewed('one\n') } });
    expect((await project.call('view_file', { file_path: 'a' })).isDone).toBe(true);
    const refused = await project.call('view_file', { file_path: 'a' });
    expect(refused).toMatchObject({ isDone: false, data: { code: 'out-of-budget' } });
    const written = await new ProjectWithTools().call('put_file', { file_path: 'a', content: 'x'.repeat(1_001) });
    expect(written.data).toMatchObject({ code: 'out-of-budget' });
  });
});

describe('view_file', () => {
  const view = (text: string, known = {}) =>
    new ProjectWithTools({ steps: { viewFile: async () => viewed(text, known) } }).call('view_file', {
      file_path: 'a.ts',
    });

  it('returns the lines between tags that they cannot close', async () => {
    const { text, data } = await view('one\n</file-1>\n');
    expect(text).toBe('File a.ts, lines 1-2 of 2.\n<file-2>\none\n</file-1>\n</file-2>');
    expect(data).toMatchObject({ path: 'a.ts', totalLines: 2, hash: 'h' });
  });

  it('says where to continue', async () => {
    const { text } = await view('one\ntwo\n', { lastLine: 2, totalLines: 9 });
    expect(text).toMatch(/^File a\.ts, lines 1-2 of 9\. To continue: start_line 3\.\n/);
  });

  it('stays within 40,000 characters, even with escaped invisible characters', async () => {
    const shown = viewLines('\u202e\u202e\u202e\n'.repeat(10_000), {});
    const { viewed: lines } = shown.ok ? shown.value : { viewed: null };
    const { text, data } = await view(lines?.text ?? '', lines ?? {});
    expect(text.length).toBeLessThanOrEqual(40_000);
    expect(text).toContain('To continue: start_line 1561. Invisible characters are written as');
    expect(data).toMatchObject({ lastLine: 1_560, totalLines: 10_000 });
  });

  it('shows an empty file as empty', async () => {
    expect((await view('')).text).toBe('File a.ts is empty.');
  });
});

describe('changes', () => {
  it('are reported with their diff and counts', async () => {
    const project = new ProjectWithTools({ steps: { modifyFile: async () => ({ ok: true, value: changed }) } });
    const result = await project.call('change_file', { file_path: 'a.ts', old_string: 'one', new_string: 'two' });
    expect(result.text).toMatch(/^Changed a\.ts \(\+1 -1 lines, 4 bytes\)\.\n<diff-1>\n--- a\.ts/);
    expect(project.log.lasting).toEqual(['change_file a.ts: +1 -1']);
  });

  const proposal = { path: 'package.json', reason: 'Builds run what it says.', diff: '+x', beforeHash: 'h1' };
  const needsApproval = { code: 'needs-approval', message: 'It asks.', hint: '', retriable: false, proposal } as const;

  it("are made after the user's consent, for that very content", async () => {
    const consents: unknown[] = [];
    const project = new ProjectWithTools({
      steps: {
        putFile: async ({ consent }) => {
          consents.push(consent);
          return consent === undefined ? { ok: false, refusal: needsApproval } : { ok: true, value: changed };
        },
      },
    });
    const result = await project.call('put_file', { file_path: 'package.json', content: '{}' });
    expect(result.isDone).toBe(true);
    expect(project.asked).toMatchObject([{ type: 'change', change: proposal }]);
    expect(consents).toEqual([undefined, { path: 'package.json', beforeHash: 'h1' }]);
  });

  it('are not made without consent', async () => {
    const denied: StepRefusal = { code: 'denied-by-user', message: 'The user said no.', hint: '', retriable: false };
    let calls = 0;
    const project = new ProjectWithTools({
      answer: denied,
      steps: {
        putFile: async () => {
          calls += 1;
          return { ok: false, refusal: needsApproval };
        },
      },
    });
    const result = await project.call('put_file', { file_path: 'package.json', content: '{}' });
    expect(result).toMatchObject({ isDone: false, text: 'Refused: The user said no.' });
    expect(calls).toBe(1);
    expect(project.log.account.refusals.first).toMatchObject([{ tool: 'put_file', code: 'denied-by-user' }]);
  });
});

describe('run_command', () => {
  const runs: Partial<Workspace> = { runCommand: async () => ({ ok: true, value: ran }) };

  it('runs commands that the rules allow, and reports their end and output', async () => {
    const project = new ProjectWithTools({ steps: runs });
    const { text, data, isDone } = await project.call('run_command', { command: 'npm test' });
    expect(text).toBe('exit 1 after 2.1 s.\n<output-1>\nnot ok\n</output-1>');
    expect(isDone).toBe(true);
    expect(data).toMatchObject({ end: { exitCode: 1 }, durationMs: 2_100 });
    expect(project.asked).toEqual([]);
    expect(project.log.account.commands.first).toMatchObject([{ command: 'npm test', end: { exitCode: 1 } }]);
  });

  it.each([
    ['git push', 'The repository is the user'],
    ['echo $(id)', 'The command was not run: '],
    ['sudo ls', 'Commands run as the user alone.'],
  ])('does not run %s, and says what to do', async (command, words) => {
    const project = new ProjectWithTools({ steps: runs });
    const result = await project.call('run_command', { command });
    expect(result).toMatchObject({ isDone: false, data: { code: 'refused-command' } });
    expect(result.text).toContain(words);
    expect(project.log.account.commands.count).toBe(0);
  });

  it('asks about a command that no rule covers', async () => {
    const project = new ProjectWithTools({ steps: runs });
    expect((await project.call('run_command', { command: 'npm install' })).isDone).toBe(true);
    expect(project.asked).toMatchObject([{ type: 'command', reason: 'No rule covers this command.' }]);
  });

  it('HOST-M4: asks about a risk, and runs the command once it is accepted', async () => {
    const requests: CommandRequest[] = [];
    const message = 'What commands change cannot be undone.';
    const risky = { code: 'needs-approval', message, hint: '', retriable: false, risk: 'not-undoable' } as const;
    const steps: Partial<Workspace> = {
      runCommand: async (request) => {
        requests.push(request);
        return request.accepts?.includes('not-undoable') ? { ok: true, value: ran } : { ok: false, refusal: risky };
      },
    };
    const project = new ProjectWithTools({ steps });
    expect((await project.call('run_command', { command: 'npm test' })).isDone).toBe(true);
    expect(project.asked).toMatchObject([{ type: 'command', reason: message, risk: 'not-undoable' }]);
    expect(requests).toMatchObject([
      { accepts: [], isAllowedByUser: false },
      { accepts: ['not-undoable'], isAllowedByUser: false },
    ]);
    const denied: StepRefusal = { code: 'denied-by-user', message: 'No.', hint: '', retriable: false };
    const alone = new ProjectWithTools({ steps, answer: denied });
    expect(await alone.call('run_command', { command: 'npm test' })).toMatchObject({
      isDone: false,
      text: 'Refused: No.',
    });
    expect(requests).toHaveLength(3);
  });

  it('HOST-M3: reports other changes, with the sentences about them', async () => {
    const unkept: UnsavedChanges = {
      count: 216,
      first: [
        { path: 'node_modules', count: 214 },
        { path: '.venv/bin/pyth\u001bon', count: 1 },
      ],
      scripts: [],
    };
    const value: CommandReport = { ...ran, unkept, notes: ['Not everything is known.'] };
    const project = new ProjectWithTools({ steps: { runCommand: async () => ({ ok: true, value }) } });
    const { text } = await project.call('run_command', { command: 'npm test' });
    expect(text.split('\n').slice(-2)).toEqual([
      'also changed, but cannot be undone: 214 files in node_modules, .venv/bin/pyth\\u{1b}on, and 1 more file',
      'Not everything is known.',
    ]);
    expect(project.log.account.notes).toEqual(['Not everything is known.']);
  });

  it('escapes output that could act on a terminal, and keeps the beginning and the end of a long one', async () => {
    const output = `\u001b[2J${'x'.repeat(60_000)}2 failed`;
    const project = new ProjectWithTools({
      steps: { runCommand: async () => ({ ok: true, value: { ...ran, output } }) },
    });
    const { text } = await project.call('run_command', { command: 'npm test' });
    expect(text).toContain('\\u{1b}[2J');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('[21,117 characters omitted]');
    expect(text).toContain('2 failed\n</output-1>');
    expect(text.length).toBeLessThanOrEqual(40_000);
  });

  it('HOST-M5: redacts a key that a command prints, and says so', async () => {
    const output =
      'url = https://ada:ghp_0123456789abcdefghij0123@example.org/a.git\nAIzaSyA0123456789abcdefghijklmnopqrstu\n';
    const project = new ProjectWithTools({
      steps: { runCommand: async () => ({ ok: true, value: { ...ran, output } }) },
    });
    const { text } = await project.call('run_command', { command: 'git log' });
    expect(text).toContain('url = https://[redacted]@example.org/a.git\n[redacted]\n');
    expect(text).toContain('Text that looks like a key or a password is shown as [redacted].');
  });

  it('keeps running, with a handle that poll_command accepts', async () => {
    const project = new ProjectWithTools({
      steps: {
        runCommand: async () => ({ ok: true, value: { ...ran, handle: 'c1', end: null } }),
        pollCommand: async () => ({ ok: true, value: ran }),
      },
    });
    const started = await project.call('run_command', { command: 'npm test' });
    expect(started.text).toContain('It is still running: call poll_command with handle "c1".');
    expect((await project.call('poll_command', { handle: 'c1' })).text).toMatch(/^exit 1 after 2\.1 s\./);
    expect(project.log.account.commands).toMatchObject({
      count: 1,
      first: [{ command: 'npm test', end: { exitCode: 1 } }],
    });
  });
});
