import type { RunRequest, ToolProvider, ToolResult } from '@gemini-mcp/core';
import { changingEvents, changingRequests, neverAborted, type RunnerMutant } from './runner-mutant.ts';

type Mutate = RunnerMutant['mutate'];
type Call = ToolProvider['call'];

/** Offers other tool providers than the request names. */
function changingSources(change: (sources: readonly ToolProvider[]) => readonly ToolProvider[]): Mutate {
  return changingRequests((request: RunRequest) =>
    request.toolProviders === undefined ? request : { ...request, toolProviders: change(request.toolProviders) },
  );
}

/** Executes calls of model tools differently. */
function changingCalls(change: (call: Call) => Call): Mutate {
  return changingSources((sources) =>
    sources.map((source) => ({
      list: (signal) => source.list(signal),
      call: change((call, signal) => source.call(call, signal)),
    })),
  );
}

function changingResults(change: (result: ToolResult) => ToolResult): Mutate {
  return changingCalls((call) => async (made, signal) => change(await call(made, signal)));
}

/** Mutants of the tools of a request. */
export const runnerToolSessionMutants: readonly RunnerMutant[] = [
  {
    name: 'lends-nothing',
    wrong: 'offers no tools',
    mutate: changingSources(() => []),
  },
  {
    name: 'escapes-results',
    wrong: 'escapes control characters in results',
    mutate: changingResults((result) => ({ ...result, text: result.text.replaceAll('\t', '\\t') })),
  },
  {
    name: 'changes-side-by-side',
    wrong: 'makes parallel calls that change something',
    mutate: changingSources((sources) =>
      sources.map((source) => ({
        list: async (signal) => (await source.list(signal)).map((tool) => ({ ...tool, changes: false })),
        call: (call, signal) => source.call(call, signal),
      })),
    ),
  },
  {
    name: 'reports-failed-call-as-success',
    wrong: 'reports every call as successful',
    mutate: changingEvents((event) =>
      event.type === 'tool' && event.phase === 'failed' ? [{ ...event, phase: 'succeeded' }] : [event],
    ),
  },
  {
    name: 'reveals-the-fault-of-a-tool',
    wrong: 'shows the model the words of an error that a tool threw',
    mutate: changingCalls((call) => async (made, signal) => {
      try {
        return await call(made, signal);
      } catch (error) {
        return { text: `Refused: ${error}`, data: {}, isDone: false };
      }
    }),
  },
  {
    name: 'leaves-call-running',
    wrong: 'continues a call when its run has ended',
    mutate: changingCalls((call) => (made) => call(made, neverAborted)),
    hangs: true,
  },
];
