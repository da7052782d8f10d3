import { randomUUID } from 'node:crypto';
import type { CommandReport, CommandRequest, StepRefusal, StepResult } from '@gemini-mcp/core';
import { refuseStep } from './refuse-step.ts';
import type { RunCommandOptions } from './run-command.ts';
import { runCommand } from './run-command.ts';
import { RunningCommand } from './running/running-command.ts';

export type WorkspaceCommandsOptions = {
  readonly maxOutputBytes: number;
  /** Prepares a command; resolves to a refusal if it cannot run. */
  readonly prepare: (request: CommandRequest, signal: AbortSignal) => Promise<StepResult<RunCommandOptions>>;
  /** Removes everything created for the commands. Never rejects. */
  readonly clear: () => Promise<void>;
};

/** The limit on concurrent commands of one run; the next one does not wait, but is refused. */
const maxRunning = 8;

/** The commands of one run: they end with it, with every process that they started. */
export class WorkspaceCommands {
  readonly #options: WorkspaceCommandsOptions;
  readonly #running = new Map<string, RunningCommand>();
  readonly #ends = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: WorkspaceCommandsOptions) {
    this.#options = options;
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    const refusal = this.#refuse(signal);
    if (refusal !== null) {
      return { ok: false, refusal };
    }
    const command = new RunningCommand({ handle: randomUUID(), maxOutputBytes: this.#options.maxOutputBytes });
    // Counted before the first await, and ended by `close` from now on.
    this.#running.set(command.handle, command);
    const prepared = await this.#options.prepare(request, AbortSignal.any([signal, command.stopping]));
    if (!prepared.ok) {
      this.#running.delete(command.handle);
      return prepared;
    }
    this.#start(command, prepared.value, request.timeoutMs);
    await command.wait(request.waitMs, signal);
    if (signal.aborted && !command.isOver) {
      await this.#end(command, 'the call was cancelled');
      this.#running.delete(command.handle);
      return { ok: false, refusal: refuseStep('cancelled') };
    }
    return { ok: true, value: this.#report(command) };
  }

  /** Implements `pollCommand` of a `Workspace`. Reports a command that has ended once. */
  async poll(
    { handle, waitMs, stop }: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    const command = this.#running.get(handle);
    if (command === undefined) {
      return { ok: false, refusal: refuseStep('unknown-handle') };
    }
    if (stop) {
      await this.#end(command, 'it was stopped as requested');
    }
    await command.wait(waitMs, signal);
    return signal.aborted
      ? { ok: false, refusal: refuseStep('cancelled') }
      : { ok: true, value: this.#report(command) };
  }

  /** Resolves when all processes of a command are gone, and at once for an unknown handle. Never rejects. */
  async whenEnded(handle: string): Promise<void> {
    await this.#running.get(handle)?.whenOver;
  }

  /** Ends all running commands with all their processes, and removes everything created for them. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const command of this.#running.values()) {
      command.stop('cancelled', 'the run has ended');
    }
    await Promise.all(this.#ends);
    await this.#options.clear();
  }

  #refuse(signal: AbortSignal): StepRefusal | null {
    if (signal.aborted || this.#isClosed) {
      return refuseStep('cancelled');
    }
    const running = [...this.#running.values()].filter(({ isOver }) => !isOver);
    return running.length >= maxRunning ? refuseStep('too-many-commands') : null;
  }

  #start(command: RunningCommand, options: RunCommandOptions, timeoutMs: number): void {
    const timer = setTimeout(() => {
      command.stop('timeout', `it took longer than ${timeoutMs} ms`);
    }, timeoutMs);
    const ended = runCommand(command, options).finally(() => {
      clearTimeout(timer);
      this.#ends.delete(ended);
    });
    this.#ends.add(ended);
  }

  async #end(command: RunningCommand, detail: string): Promise<void> {
    command.stop('cancelled', detail);
    await command.whenOver;
  }

  #report(command: RunningCommand): CommandReport {
    if (command.isOver) {
      this.#running.delete(command.handle);
    }
    return command.report();
  }
}
