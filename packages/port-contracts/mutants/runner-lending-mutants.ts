import type { LentCall, LentResult, RunRequest, ToolSource } from '@gemini-mcp/core';
import { changingEvents, changingRequests, neverAborted, type RunnerMutant } from './runner-mutant.ts';

type Mutate = RunnerMutant['mutate'];
type Call = ToolSource['call'];

/** Lends other sources than those of the request. */
function changingSources(change: (sources: readonly ToolSource[]) => readonly ToolSource[]): Mutate {
  return changingRequests((request: RunRequest) =>
    request.toolSources === undefined ? request : { ...request, toolSources: change(request.toolSources) },
  );
}

/** Makes the calls of lent tools in another way. */
function changingCalls(change: (call: Call) => Call): Mutate {
  return changingSources((sources) =>
    sources.map((source) => ({
      list: (signal) => source.list(signal),
      call: change((call, signal) => source.call(call, signal)),
    })),
  );
}

function changingArguments(change: (call: LentCall) => LentCall): Mutate {
  return changingCalls((call) => (made, signal) => call(change(made), signal));
}

function changingResults(change: (result: LentResult) => LentResult): Mutate {
  return changingCalls((call) => async (made, signal) => change(await call(made, signal)));
}

/** What they do wrong with the tools that a request lends. */
export const runnerLendingMutants: readonly RunnerMutant[] = [
  {
    name: 'lends-first-source-alone',
    wrong: 'offers the tools of the first source alone',
    mutate: changingSources((sources) => sources.slice(0, 1)),
  },
  {
    name: 'lends-nothing',
    wrong: 'offers no tools',
    mutate: changingSources(() => []),
  },
  {
    name: 'calls-twice',
    wrong: 'makes each call twice',
    mutate: changingCalls((call) => async (made, signal) => {
      await call(made, signal);
      return call(made, signal);
    }),
  },
  {
    name: 'trims-arguments',
    wrong: 'trims texts in arguments',
    mutate: changingArguments((call) => ({
      ...call,
      arguments: JSON.parse(JSON.stringify(call.arguments), (_, value) =>
        typeof value === 'string' ? value.trim() : value,
      ),
    })),
  },
  {
    name: 'drops-empty-arguments',
    wrong: 'leaves out arguments that are null',
    mutate: changingArguments((call) => ({
      ...call,
      arguments: JSON.parse(JSON.stringify(call.arguments), (_, value) => value ?? undefined),
    })),
  },
  {
    name: 'cuts-results',
    wrong: 'cuts results at 40,000 characters',
    mutate: changingResults((result) => ({ ...result, text: result.text.slice(0, 40_000) })),
  },
  {
    name: 'escapes-results',
    wrong: 'escapes control characters in results',
    mutate: changingResults((result) => ({ ...result, text: result.text.replaceAll('\t', '\\t') })),
  },
  {
    name: 'changes-side-by-side',
    wrong: 'makes calls that change something side by side',
    mutate: changingSources((sources) =>
      sources.map((source) => ({
        list: async (signal) => (await source.list(signal)).map((tool) => ({ ...tool, changes: false })),
        call: (call, signal) => source.call(call, signal),
      })),
    ),
  },
  {
    name: 'tells-no-calls',
    wrong: 'tells of no call',
    mutate: changingEvents((event) => (event.type === 'tool' ? [] : [event])),
  },
  {
    name: 'tells-failed-call-as-success',
    wrong: 'tells of each call as one that succeeded',
    mutate: changingEvents((event) =>
      event.type === 'tool' && event.phase === 'failed' ? [{ ...event, phase: 'succeeded' }] : [event],
    ),
  },
  {
    name: 'tells-the-fault-of-a-tool',
    wrong: 'tells the model the words of an error that a tool threw',
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
    wrong: 'lets a call go on when its run has ended',
    mutate: changingCalls((call) => (made) => call(made, neverAborted)),
    hangs: true,
  },
];
