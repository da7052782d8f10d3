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
import { failWithoutTools, withoutToolCalls } from '../settings/lent-server.ts';
import { RunRecorder } from './run-recorder.ts';

export type HeadlessRunOptions = {
  readonly command: Command;
  readonly directory: CliRunDirectory;
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whether that is a directory of a call, which somebody could exchange for a link: then it has to be the one at its real path. */
  readonly isGiven: boolean;
  readonly input: string;
  readonly toolSession: ToolSession | null;
  /** Whether the CLI ends what it has started itself, and must be let: a container does not go with it. */
  readonly endsByItself: boolean;
  readonly redact: (text: string) => string;
};

export type HeadlessRunResult = {
  readonly end: RunEnd;
  /** What the end was read from; null where no process came to carry the run. */
  readonly outcome: CliOutcome | null;
};

type Termination = 'exited' | 'cancelled' | 'timed-out' | 'output-limit';

/** One process from start to end. Ends it when the limit is reached, and when it writes without end. */
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
    const detail = `${options.cwd} was moved while the call began; call again`;
    return withoutProcess({ kind: 'directory-refused', detail });
  }
  // A run that goes wrong may do so in several ways; the first is why it ended.
  let termination: Termination = 'exited';
  const stop = (reason: Termination): void => {
    termination = termination === 'exited' ? reason : termination;
    running.terminate();
  };
  const tools = watchTools(options.toolSession);
  const recorder = new RunRecorder({
    inputBytes: Buffer.byteLength(options.input),
    redact: options.redact,
    lends: options.toolSession !== null,
    onInit: () => tools.check(() => running.kill()),
    onEvents: (events) => withoutToolCalls(events).forEach(tell),
    onOverLimit: () => stop('output-limit'),
    // The CLI would tidy up for a tenth of a second more, in directories that are about to be removed.
    onAnswered: () => (options.endsByItself ? undefined : running.kill()),
  });
  // From the open directory: the process is in it before anything else can be at its path.
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
  /** To be called before the CLI puts anything to the model: stops it where it has not asked for the tools. */
  readonly check: (stop: () => void) => void;
  /** Whether it was stopped for that, or has come to an answer without them all the same. */
  readonly wereMissing: (end: RunEnd) => boolean;
};

/** The CLI asks for the tools as it starts, and goes on where it did not get them. */
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

/** Whether it is allowed was decided by this very path. */
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
