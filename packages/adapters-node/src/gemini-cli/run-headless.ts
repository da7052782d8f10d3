import type { Clock, RunEvent, RunOutcome } from '@gemini-mcp/core';
import type { Command } from '../process/contained-command.ts';
import { type ContainedProcess, startContainedProcess } from '../process/contained-process.ts';
import { EventQueue } from './event-queue.ts';
import { outcomeWithoutRun } from './outcome-without-run.ts';
import type { RunDirectory } from './run-directory.ts';
import { RunRecorder } from './run-recorder.ts';

export type HeadlessRunOptions = {
  readonly clock: Clock;
  readonly command: Command;
  readonly directory: RunDirectory;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly deadlineAtMs: number;
  readonly redact: (text: string) => string;
};

type Termination = 'exited' | 'cancelled' | 'timed-out' | 'output-limit';

/**
 * One process from start to end as events. Ends it at the deadline, on abort, when it writes without end, and when the
 * consumer stops listening.
 */
export async function* runHeadless(options: HeadlessRunOptions, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const queue = new EventQueue<RunEvent>();
  const recorder = new RunRecorder({ inputBytes: Buffer.byteLength(options.input), redact: options.redact });
  // A run that goes wrong may do so in several ways; the first is why it ended.
  let termination: Termination = 'exited';
  const stop = (reason: Termination): void => {
    termination = termination === 'exited' ? reason : termination;
    running.terminate();
  };
  const running = await start(options, queue, recorder, () => stop('output-limit'));
  const over = new AbortController();
  const deadline = options.clock.sleep(options.deadlineAtMs - options.clock.now(), over.signal).then(
    () => stop('timed-out'),
    () => undefined,
  );
  const cancel = (): void => stop('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) {
    cancel();
  }
  const finished = running.ended.then((end) => {
    queue.push(...recorder.readRest(), finish(recorder, end, termination));
    queue.close();
  });
  try {
    yield* queue;
  } finally {
    stop('cancelled');
    over.abort();
    signal.removeEventListener('abort', cancel);
    await Promise.all([finished, deadline]);
  }
}

function start(
  options: HeadlessRunOptions,
  queue: EventQueue<RunEvent>,
  recorder: RunRecorder,
  onOverLimit: () => void,
): Promise<ContainedProcess> {
  const { command, directory, environment, input } = options;
  const checkLimit = (): void => {
    if (recorder.isOverLimit) {
      onOverLimit();
    }
  };
  return startContainedProcess({
    command,
    cwd: directory.workspace,
    environment,
    runId: directory.runId,
    input,
    onStdout: (chunk) => {
      queue.push(...recorder.readStdout(chunk));
      checkLimit();
    },
    onStderr: (chunk) => {
      recorder.readStderr(chunk);
      checkLimit();
    },
  });
}

function finish(recorder: RunRecorder, end: Awaited<ContainedProcess['ended']>, termination: Termination): RunEvent {
  if (end.spawnError !== null) {
    const startError: RunOutcome['startError'] = { code: 'spawn-failed', detail: end.spawnError };
    return outcomeWithoutRun({ termination: 'not-started', startError });
  }
  return { type: 'outcome', outcome: recorder.outcome(end, termination) };
}
