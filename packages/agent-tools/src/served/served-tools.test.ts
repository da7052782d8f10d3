import type { StepResult, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { approvalsInMemory, FakeClock, FakeExecutor } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';
import { ServedTools } from './served-tools.ts';

const signal = new AbortController().signal;
const idleMs = 600_000;

/** Tools over files in memory that report which workspaces were closed, and which were used afterwards. */
class Served {
  readonly clock: FakeClock = new FakeClock();
  readonly closed: string[] = [];
  readonly usedAfterClose: string[] = [];
  readonly tools: ServedTools;
  readonly #executor = new FakeExecutor({
    tree: { 'a/x.txt': 'one\n', 'b/x.txt': 'one\n', 'c/x.txt': 'one\n', 'd/x.txt': 'one\n', 'e/x.txt': 'one\n' },
  });
  #runs = 0;

  constructor() {
    this.tools = new ServedTools({
      clock: this.clock,
      executor: { sandbox: () => this.#executor.sandbox(), open: (options, opening) => this.#open(options, opening) },
      approvals: approvalsInMemory(),
      mode: 'full',
      budget: { maxSteps: 1_000, maxTokens: 1_000_000, maxWrittenBytes: 1_000_000 },
      createRunId: () => {
        this.#runs += 1;
        return `run-${this.#runs}`;
      },
      realPathOf: async (directory) => directory,
      modeAdvice: 'Ask the operator.',
    });
  }

  view(directory: string, owner = 'alice'): ReturnType<ServedTools['execute']> {
    const place = { owner, workingDirectory: `/project/${directory}`, roots: ['/project'] };
    return this.tools.execute({ ...place, tool: 'view_file', args: { file_path: 'x.txt' } }, signal);
  }

  async #open(options: WorkspaceOptions, opening: AbortSignal): Promise<StepResult<Workspace>> {
    const opened = await this.#executor.open(options, opening);
    if (opened.ok) {
      const workspace = opened.value;
      const [view, close] = [workspace.viewFile.bind(workspace), workspace.close.bind(workspace)];
      workspace.viewFile = (request, viewing) => {
        this.usedAfterClose.push(...this.closed.filter((runId) => runId === options.runId));
        return view(request, viewing);
      };
      workspace.close = () => {
        this.closed.push(options.runId);
        return close();
      };
    }
    return opened;
  }
}

describe('the tools that are served', () => {
  it('work in one workspace while it is used, and end it ten minutes after the last call', async () => {
    const served = new Served();
    expect(await served.view('a')).toMatchObject({ isDone: true, runId: 'run-1' });
    await served.clock.advance(idleMs - 1);
    expect(await served.view('a')).toMatchObject({ isDone: true, runId: 'run-1' });
    await served.clock.advance(idleMs - 1);
    expect(served.closed).toEqual([]);
    await served.clock.advance(1);
    expect(served.closed).toEqual(['run-1']);
    expect(await served.view('a')).toMatchObject({ isDone: true, runId: 'run-2' });
  });

  it('never use a closed workspace, whenever a call comes', async () => {
    const runs = new Set<string | null>();
    // A fake clock takes a thousand turns before it wakes the first sleeper.
    for (let turns = 980; turns < 1_060; turns += 1) {
      const served = new Served();
      await served.view('a');
      // The last second separately: a call has a deadline, which a clock that jumps by the whole time would miss.
      await served.clock.advance(idleMs - 1_000);
      const idle = served.clock.advance(1_000);
      for (let turn = 0; turn < turns; turn += 1) {
        await Promise.resolve();
      }
      const second = await served.view('a');
      expect(second, `after ${turns} turns`).toMatchObject({ isDone: true });
      runs.add(second.runId);
      await idle;
      expect(served.usedAfterClose, `after ${turns} turns`).toEqual([]);
      await served.tools.close();
      expect(new Set(served.closed).size).toBe(served.closed.length);
    }
    // Calls came before the end of the idle run, and after it.
    expect([...runs].sort()).toEqual(['run-1', 'run-2']);
  });

  it('serve four directories to each owner, and another one once one of them is idle', async () => {
    const served = new Served();
    for (const directory of ['a', 'b', 'c', 'd', 'a']) {
      expect(await served.view(directory)).toMatchObject({ isDone: true });
    }
    const refused = await served.view('e');
    expect(refused).toMatchObject({ isDone: false, runId: null, data: { code: 'failed' } });
    expect(refused.text).toContain('4 directories');
    expect(await served.view('e', 'bob')).toMatchObject({ isDone: true });
    await served.clock.advance(idleMs);
    expect(await served.view('e')).toMatchObject({ isDone: true });
  });

  it('use up none of the four for an unusable directory', async () => {
    const served = new Served();
    for (const directory of ['1', '2', '3', '4', '5']) {
      expect(await served.view(directory)).toMatchObject({ isDone: false, runId: null });
    }
    expect(await served.view('a')).toMatchObject({ isDone: true });
  });

  it('end a run for its owner only, and the next call begins another', async () => {
    const served = new Served();
    await served.view('a');
    expect(await served.tools.end({ owner: 'bob', runId: 'run-1' })).toBe(false);
    expect(await served.tools.end({ owner: 'alice', runId: 'run-1' })).toBe(true);
    expect(await served.view('a')).toMatchObject({ runId: 'run-2' });
  });

  it('leave no timer and open nothing once they are closed', async () => {
    const served = new Served();
    await served.view('a');
    await served.tools.close();
    expect(await served.view('a')).toMatchObject({ isDone: false, data: { code: 'cancelled' }, runId: null });
    expect(served.clock.sleeping).toBe(0);
  });
});
