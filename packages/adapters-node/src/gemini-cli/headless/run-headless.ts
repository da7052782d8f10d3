import type { GeminiFailure, RunEnd, ToolSession } from '@gemini-mcp/core';
import { HeldDirectory } from '../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../disk/open-verified.ts';
import type { Refusal } from '../../disk/refusal.ts';
import { type Command, type ContainedCommand, containCommand } from '../../processes/contained-command.ts';
import { type ContainedProcess, type ProcessEnd, startContainedProcess } from '../../processes/contained-process.ts';
import type { CliRunDirectory } from '../cli-run-directory.ts';
import type { Tell } from '../cli-transport.ts';
import { failRun } from '../fail-run.ts';
import { endOfRun } from '../reading/classify-outcome.ts';
import type { CliOutcome } from '../reading/cli-outcome.ts';
import type { RunLimit } from '../run-limit.ts';
import { failWithoutTools, withoutToolCalls } from '../settings/model-tools.ts';
import { RunRecorder } from './run-recorder.ts';

export type HeadlessRunOptions = {
  readonly command: Command;
  readonly directory: CliRunDirectory;
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whether a call named that directory, which somebody could replace by a link: then it must still be the one at its real path. */
  readonly isGiven: boolean;
  readonly input: string;
  readonly toolSession: ToolSession | null;
  /** Whether the CLI must end its own children: a container does not end with the CLI. */
  readonly endsByItself: boolean;
  readonly redact: (text: string) => string;
};

export type HeadlessRunResult = {
  readonly end: RunEnd;
  /** The outcome that the end was derived from; null if no process started. */
  readonly outcome: CliOutcome | null;
};

type Termination = 'exited' | 'cancelled' | 'timed-out' | 'output-limit';

/** One process from start to end. Ends it when it reaches the limit, and when it writes without end. */
export async function runHeadless(
  options: HeadlessRunOptions,
  tell: Tell,
  limit: RunLimit,
): Promise<HeadlessRunResult> {
  const command = await containCommand(options.command);
  if (limit.signal.aborted) {
    return withoutProcess(limit.failure);
  }
  const held = options.isGiven ? holdDirectory(options.cwd) : null;
  if (held !== null && !(held instanceof HeldDirectory)) {
    const detail = `${options.cwd} was moved while the call started; try again`;
    return withoutProcess({ kind: 'directory-refused', detail });
  }
  // A run may fail in several ways; the first one is the reason for its end.
  let termination: Termination = 'exited';
  const stop = (reason: Termination): void => {
    termination = termination === 'exited' ? reason : termination;
    running.terminate();
  };
  const tools = watchTools(options.toolSession);
  const recorder = new RunRecorder({
    inputBytes: Buffer.byteLength(options.input),
    redact: options.redact,
    hasModelTools: options.toolSession !== null,
    onInit: () => tools.check(() => running.kill()),
    onEvents: (events) => withoutToolCalls(events).forEach(tell),
    onOverLimit: () => stop('output-limit'),
    // The CLI would clean up for another tenth of a second, in directories that are about to be removed.
    onAnswered: () => (options.endsByItself ? undefined : running.kill()),
  });
  // Starts from the open directory: the process is in it before anything else can take its path.
  const running = start({ ...options, cwd: held?.pathOf(options.cwd) ?? options.cwd }, command, recorder);
  held?.release();
  const stopAtLimit = (): void => stop(limit.termination);
  limit.signal.addEventListener('abort', stopAtLimit, { once: true });
  const end = await running.ended;
  await recorder.readRest();
  limit.signal.removeEventListener('abort', stopAtLimit);
  const result = finish(end, recorder, termination, options.redact);
  return tools.wereMissing(result.end) ? { ...result, end: failWithoutTools() } : result;
}

type ToolWatch = {
  /** Call this before the CLI sends anything to the model: stops the CLI if it has not requested the tools. */
  readonly check: (stop: () => void) => void;
  /** Whether it was stopped for that, or answered without the tools anyway. */
  readonly wereMissing: (end: RunEnd) => boolean;
};

/** The CLI requests the tools as it starts, and continues if that fails. */
function watchTools(toolSession: ToolSession | null): ToolWatch {
  let areListed = toolSession === null;
  let wasStopped = false;
  void toolSession?.listed.then(() => {
    areListed = true;
  });
  return {
    check: (stop) => {
      if (!areListed) {
        wasStopped = true;
        stop();
      }
    },
    wereMissing: ({ type }) => wasStopped || (type === 'answer' && !areListed),
  };
}

function withoutProcess(failure: GeminiFailure): HeadlessRunResult {
  return { end: failRun(failure), outcome: null };
}

/** This very path decided whether the directory is allowed. */
function holdDirectory(path: string): HeldDirectory | Refusal {
  return HeldDirectory.open({ path, roots: { contains: () => true }, proof: chooseDescriptorProof() });
}

function start(options: HeadlessRunOptions, command: ContainedCommand, recorder: RunRecorder): ContainedProcess {
  const { directory, environment, input, cwd } = options;
  return startContainedProcess({
    command,
    cwd,
    environment,
    runId: directory.runId,
    input,
    onStdout: (chunk) => recorder.readStdout(chunk),
    onStderr: (chunk) => recorder.readStderr(chunk),
  });
}

function finish(
  end: ProcessEnd,
  recorder: RunRecorder,
  termination: Termination,
  redact: HeadlessRunOptions['redact'],
): HeadlessRunResult {
  if (end.spawnError !== null) {
    const { isShortage, detail } = end.spawnError;
    const said = redact(detail);
    return withoutProcess(
      isShortage
        ? { kind: 'resources-exhausted', detail: said }
        : { kind: 'crashed', detail: 'was not started', excerpt: said },
    );
  }
  const outcome = recorder.outcome(end, termination);
  return { end: endOfRun(outcome), outcome };
}
