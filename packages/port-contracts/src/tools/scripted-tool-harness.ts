import type { LentCall, LentResult, LentTool } from '@gemini-mcp/core';
import { FakeClock, ScriptedToolSource } from '@gemini-mcp/core/testing';
import type { ToolSourceHarness } from './tool-source.contract.ts';

/** A scripted source whose tools do what the suite of `ToolSource` wants of them, on a clock of its own. */
export function createScriptedToolHarness(): ToolSourceHarness & { readonly source: ScriptedToolSource } {
  const clock = new FakeClock();
  let begun = 0;
  let waiting = 0;
  const wait = async ({ deadlineAtMs }: LentCall, signal: AbortSignal): Promise<LentResult> => {
    waiting += 1;
    const over = new AbortController();
    await clock.sleep(deadlineAtMs - clock.now(), AbortSignal.any([signal, over.signal])).catch(() => undefined);
    over.abort();
    waiting -= 1;
    const text = signal.aborted ? 'Failed: the call was cancelled.' : 'Failed: the time was over.';
    return { text, data: { code: 'ended' }, isDone: false };
  };
  const source = new ScriptedToolSource({
    tools: [toolOf('echo', false), toolOf('wait', false)],
    answer: (call, signal) => {
      begun += 1;
      return call.name === 'wait' ? wait(call, signal) : echo(call);
    },
  });
  return {
    source,
    echo: 'echo',
    wait: 'wait',
    begun: () => begun,
    waiting: () => waiting,
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    change: async () => source.changeTo([toolOf('echo', false), toolOf('wait', false), toolOf('later', true)]),
    close: async () => undefined,
  };
}

function echo({ arguments: { text } }: LentCall): LentResult {
  return { text: `Echo: ${String(text)}`, data: { text: String(text) }, isDone: true };
}

function toolOf(name: string, changes: boolean): LentTool {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, changes };
}
