import type { ModelTool, ToolCall, ToolResult } from '@gemini-mcp/core';
import { FakeClock, ScriptedToolProvider } from '@gemini-mcp/core/testing';
import type { ToolProviderHarness } from './tool-provider.contract.ts';

/** A scripted provider with the tools of the `ToolProvider` suite, on its own clock. */
export function createScriptedToolHarness(): ToolProviderHarness & { readonly source: ScriptedToolProvider } {
  const clock = new FakeClock();
  let begun = 0;
  let waiting = 0;
  const wait = async ({ deadlineAtMs }: ToolCall, signal: AbortSignal): Promise<ToolResult> => {
    waiting += 1;
    const over = new AbortController();
    await clock.sleep(deadlineAtMs - clock.now(), AbortSignal.any([signal, over.signal])).catch(() => undefined);
    over.abort();
    waiting -= 1;
    const text = signal.aborted ? 'Failed: the call was cancelled.' : 'Failed: the time was over.';
    return { text, data: { code: 'ended' }, isDone: false };
  };
  const source = new ScriptedToolProvider({
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

function echo({ arguments: { text } }: ToolCall): ToolResult {
  return { text: `Echo: ${String(text)}`, data: { text: String(text) }, isDone: true };
}

function toolOf(name: string, changes: boolean): ModelTool {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, changes };
}
