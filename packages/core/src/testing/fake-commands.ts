import type { CommandPlan } from '../ports/workspace/command-plan.ts';
import type { CommandReport } from '../ports/workspace/command-steps.ts';
import type { FileChange } from '../ports/workspace/file-steps.ts';
import type { FakeFiles } from './fake-files.ts';
import { utf8 } from './sha256.ts';

/** The behaviour of a scripted command. */
export type ScriptedCommand = {
  /** Its output, one piece for each report: a command with two pieces goes on after its first report. */
  readonly outputs: readonly [string, ...string[]];
  readonly exitCode: number;
  /** The files it writes, by paths below the working directory; null removes one. No files if missing. */
  readonly writes?: Readonly<Record<string, string | null>>;
};

type Running = { readonly command: ScriptedCommand; reports: number; outputBytes: number };

/** Runs scripts instead of commands. */
export class FakeCommands {
  readonly #files: FakeFiles;
  readonly #script: (plan: CommandPlan) => ScriptedCommand;
  readonly #record: (path: string, before: Uint8Array | null) => FileChange;
  readonly #running = new Map<string, Running>();

  constructor(
    files: FakeFiles,
    script: (plan: CommandPlan) => ScriptedCommand,
    record: (path: string, before: Uint8Array | null) => FileChange,
  ) {
    this.#files = files;
    this.#script = script;
    this.#record = record;
  }

  run(plan: CommandPlan): CommandReport {
    const handle = `command-${this.#running.size + 1}`;
    const running = { command: this.#script(plan), reports: 0, outputBytes: 0 };
    this.#running.set(handle, running);
    return this.#report(handle, running);
  }

  /** Null for an unknown handle. */
  poll(handle: string, stop: boolean): CommandReport | null {
    const running = this.#running.get(handle);
    if (running === undefined) {
      return null;
    }
    if (!stop) {
      return this.#report(handle, running);
    }
    this.#running.delete(handle);
    const end = { type: 'stopped', reason: 'cancelled', detail: 'It was stopped by a call.' } as const;
    return { ...reportOf(running, ''), handle: null, end };
  }

  #report(handle: string, running: Running): CommandReport {
    const { outputs, exitCode, writes = {} } = running.command;
    const output = outputs[running.reports] ?? '';
    running.reports += 1;
    running.outputBytes += utf8(output).length;
    if (running.reports < outputs.length) {
      return { ...reportOf(running, output), handle };
    }
    this.#running.delete(handle);
    const changes = Object.entries(writes).map(([path, content]) => this.#write(path, content));
    return { ...reportOf(running, output), end: { type: 'exited', exitCode }, changes };
  }

  #write(path: string, content: string | null): FileChange {
    const place = this.#files.resolve(path);
    const before = this.#files.read(place);
    if (content === null) {
      this.#files.remove(place);
    } else {
      this.#files.write(place, content);
    }
    return this.#record(place, before);
  }
}

function reportOf({ outputBytes }: Running, output: string): CommandReport {
  return { handle: null, end: null, output, outputBytes, durationMs: 0, changes: [] };
}
