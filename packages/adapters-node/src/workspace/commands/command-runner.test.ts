import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPlan, CommandReport, StepResult } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RealRoots } from '../../disk/real-roots.ts';
import { CommandRunner } from './command-runner.ts';
import { commandOf, pipelineOf, planOf } from './testing/plan-of.ts';
import type { WorkspaceCommands } from './workspace-commands.ts';

const never = new AbortController().signal;

let base: string;
let project: string;
let commands: WorkspaceCommands;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'commands-')));
  project = join(base, 'project');
  await mkdir(project);
  const runner = new CommandRunner({ runsDirectory: join(base, 'runs'), environment: {} });
  commands = runner.open({
    mode: 'full',
    network: false,
    roots: new RealRoots({ directories: [project] }),
    directories: [project],
    workingDirectory: project,
  });
});

afterEach(async () => {
  await commands.close();
  await rm(base, { recursive: true });
});

async function run(plan: CommandPlan, timeoutMs = 30_000): Promise<StepResult<CommandReport>> {
  return commands.run({ plan, timeoutMs, waitMs: 60_000 }, never);
}

describe.runIf(process.platform === 'linux')('CommandRunner', () => {
  it("reports a command's output in order of arrival on either stream, and its exit code", async () => {
    const result = await run(planOf('sh', '-c', 'echo hi; echo oops >&2; echo there; exit 3'));
    expect(result).toMatchObject({
      ok: true,
      value: { handle: null, end: { type: 'exited', exitCode: 3 }, output: 'hi\noops\nthere\n', outputBytes: 14 },
    });
  });

  it('stops a command at its timeout', async () => {
    const result = await run(planOf('sleep', '1000'), 300);
    expect(result).toMatchObject({
      ok: true,
      value: { end: { type: 'stopped', reason: 'timeout', detail: 'it took longer than 300 ms' } },
    });
  });

  it('expands a pattern to existing names in byte order, without held ones', async () => {
    for (const name of ['b.md', 'a.md', '.hidden.md', 'Z.md', '-n.md']) {
      await writeFile(join(project, name), '');
    }
    const { commands: own } = pipelineOf([commandOf(['printf', '%s\\n'])]);
    const pattern = {
      type: 'pattern',
      source: '*.md',
      pieces: [{ type: 'any' }, { type: 'literal', text: '.md' }],
    } as const;
    const none = {
      type: 'pattern',
      source: '?.x',
      pieces: [{ type: 'one' }, { type: 'literal', text: '.x' }],
    } as const;
    const words = [...own[0].words, pattern, none] as const;
    const plan: CommandPlan = {
      directory: null,
      pipelines: [pipelineOf([{ ...own[0], words: [own[0].words[0], ...words.slice(1)] }])],
    };
    expect(await run(plan)).toMatchObject({ ok: true, value: { output: '-n.md\nZ.md\na.md\nb.md\n?.x\n' } });
  });

  it('joins programs by pipes: one that is no longer read ends silently', async () => {
    const plan: CommandPlan = {
      directory: null,
      pipelines: [pipelineOf([commandOf(['yes']), commandOf(['head', '-2'])])],
    };
    expect(await run(plan)).toMatchObject({
      ok: true,
      value: { end: { type: 'exited', exitCode: 0 }, output: 'y\ny\n' },
    });
  });

  it('runs what follows && after success, || after failure, and ; in any case', async () => {
    const plan: CommandPlan = {
      directory: null,
      pipelines: [
        pipelineOf([commandOf(['false'])]),
        pipelineOf([commandOf(['echo', 'a'])], 'after-success'),
        pipelineOf([commandOf(['echo', 'b'])], 'after-failure'),
        pipelineOf([commandOf(['echo', 'c'])], 'after-failure'),
        pipelineOf([commandOf(['echo', 'd'])]),
      ],
    };
    expect(await run(plan)).toMatchObject({ ok: true, value: { output: 'b\nd\n' } });
  });

  it('reads and writes files of redirections, each when its command begins', async () => {
    const plan: CommandPlan = {
      directory: null,
      pipelines: [
        pipelineOf([commandOf(['echo', 'one'], [{ type: 'to-file', streams: 'output', path: 'f', appends: false }])]),
        pipelineOf([commandOf(['echo', 'two'], [{ type: 'to-file', streams: 'output', path: 'f', appends: true }])]),
        pipelineOf([commandOf(['cat'], [{ type: 'from-file', path: 'f' }])]),
      ],
    };
    expect(await run(plan)).toMatchObject({ ok: true, value: { output: 'one\ntwo\n' } });
    expect(await readFile(join(project, 'f'), 'utf8')).toBe('one\ntwo\n');
  });
});
