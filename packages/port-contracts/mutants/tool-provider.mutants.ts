import type { ToolProvider } from '@gemini-mcp/core';
import { createScriptedToolHarness } from '../src/tools/scripted-tool-harness.ts';
import { describeToolProviderContract } from '../src/tools/tool-provider.contract.ts';
import { proveMutants } from './prove-mutants.ts';
import { toolCallMutants } from './tool-provider/tool-call-mutants.ts';
import { toolChangeMutants } from './tool-provider/tool-change-mutants.ts';
import { toolEndMutants } from './tool-provider/tool-end-mutants.ts';
import { toolListMutants } from './tool-provider/tool-list-mutants.ts';

proveMutants([...toolListMutants, ...toolCallMutants, ...toolEndMutants, ...toolChangeMutants], (about, mutant) => {
  describeToolProviderContract({
    ...about,
    create: async () => {
      const harness = createScriptedToolHarness();
      const right = harness.source;
      const changed = mutant?.mutate(right, harness) ?? {};
      const source: ToolProvider = {
        list: changed.list ?? ((signal) => right.list(signal)),
        call: changed.call ?? ((call, signal) => right.call(call, signal)),
        onChange: changed.onChange ?? ((listener) => right.onChange(listener)),
      };
      return { ...harness, source };
    },
  });
});
