import type { LentResult, LentTool, ToolSource } from '@gemini-mcp/core';
import type { ScriptedToolSource } from '@gemini-mcp/core/testing';
import type { ToolSourceHarness } from '../src/tools/tool-source.contract.ts';
import type { Mutant } from './prove-mutants.ts';

export type ToolSourceMutant = Mutant & {
  readonly mutate: (right: ScriptedToolSource, harness: ToolSourceHarness) => Partial<ToolSource>;
};

export const neverAborted: AbortSignal = new AbortController().signal;

/** Changes what is listed. */
export function listing(
  change: (tools: readonly LentTool[], times: number) => readonly LentTool[],
): ToolSourceMutant['mutate'] {
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

/** Changes what comes of each call. */
export function resulting(change: (result: LentResult) => LentResult): ToolSourceMutant['mutate'] {
  return (right) => ({ call: async (call, signal) => change(await right.call(call, signal)) });
}
