import { ToolRouter } from '../model-tools/tool-router.ts';
import type { RunEvent } from '../ports/gemini-runner/run-event.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { ToolCall, ToolResult } from '../ports/tool-provider.ts';
import { type Interruption, type InterruptionOptions, interruptionUntil } from './interruption.ts';

/** A scripted model's calls of model tools. */
export type ScriptedToolSession = {
  /** The calls: those of one round together, after the results of the previous round. */
  readonly rounds: readonly (readonly Pick<ToolCall, 'name' | 'arguments'>[])[];
  /** Called with the names of the run's model tools. */
  readonly onOffered?: (names: readonly string[]) => void;
  /** Called with the results of each round. */
  readonly onResults?: (results: readonly ToolResult[]) => void;
};

export type LendOptions = Pick<InterruptionOptions, 'clock'> & {
  readonly toolSession: ScriptedToolSession;
  readonly request: RunRequest;
};

/** Makes the calls and reports them. Returns the interruption that ended the run before they were done, otherwise null. */
export async function* scriptTools(
  { clock, toolSession, request }: LendOptions,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Interruption | null> {
  const over = new AbortController();
  const { deadlineAtMs, toolProviders = [] } = request;
  try {
    const router = await ToolRouter.from(toolProviders, over.signal);
    toolSession.onOffered?.(router.tools.map(({ name }) => name));
    for (const round of toolSession.rounds) {
      yield* round.map(({ name }) => ({ type: 'tool', name, phase: 'started' }) as const);
      const made = router.carryOut(
        round.map((call) => ({ ...call, deadlineAtMs })),
        over.signal,
      );
      const interruption = await interruptionUntil(made, { clock, request }, signal);
      if (interruption !== null) {
        return interruption;
      }
      const answered = await made;
      toolSession.onResults?.(answered.map(({ result }) => result));
      yield* answered.map(({ call, result }) => toolEnded(call.name, result.isDone));
    }
    return null;
  } finally {
    over.abort();
  }
}

function toolEnded(name: string, isDone: boolean): RunEvent {
  return { type: 'tool', name, phase: isDone ? 'succeeded' : 'failed' };
}
