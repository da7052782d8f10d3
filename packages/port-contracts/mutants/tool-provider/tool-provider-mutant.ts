import type { ModelTool, ToolProvider, ToolResult } from '@gemini-mcp/core';
import type { ScriptedToolProvider } from '@gemini-mcp/core/testing';
import type { ToolProviderHarness } from '../../src/tools/tool-provider.contract.ts';
import type { Mutant } from '../prove-mutants.ts';

export type ToolProviderMutant = Mutant & {
  readonly mutate: (right: ScriptedToolProvider, harness: ToolProviderHarness) => Partial<ToolProvider>;
};

export const neverAborted: AbortSignal = new AbortController().signal;

/** Changes the list. */
export function listing(
  change: (tools: readonly ModelTool[], times: number) => readonly ModelTool[],
): ToolProviderMutant['mutate'] {
  return (right) => {
    let times = 0;
    return {
      list: async (signal) => {
        times += 1;
        return change(await right.list(signal), times);
      },
    };
  };
}

/** Changes the result of each call. */
export function resulting(change: (result: ToolResult) => ToolResult): ToolProviderMutant['mutate'] {
  return (right) => ({ call: async (call, signal) => change(await right.call(call, signal)) });
}
