import type { CommandReport, CommandRequest, StepResult, UndoCoverage } from '@gemini-mcp/core';
import type { WorkspaceCommands } from './commands/workspace-commands.ts';
import type { CommandChanges, WatchedTree } from './journal/watched-tree.ts';

/** The commands of a run, with what each of them changed: it is told with the end of the command, and kept so that it can be undone. */
export class WatchedCommands {
  readonly #commands: WorkspaceCommands;
  readonly #tree: WatchedTree;
  /** What commands changed that went on after their first report, and whose end was not told yet. */
  readonly #changes = new Map<string, Promise<CommandChanges>>();

  constructor(commands: WorkspaceCommands, tree: WatchedTree) {
    this.#commands = commands;
    this.#tree = tree;
  }

  prepare(signal: AbortSignal): Promise<UndoCoverage> {
    return this.#tree.prepare(signal);
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    await this.#tree.prepare(signal);
    if (signal.aborted) {
      return this.#commands.run(request, signal);
    }
    const coverage = await this.#tree.begin(request.isAllowedByUser === true);
    const result =
      coverage.commands || request.accepts?.includes('not-undoable') === true
        ? await this.#commands.run(request, signal)
        : refuseNotUndoable(coverage.reason);
    const handle = result.ok ? result.value.handle : null;
    if (handle === null) {
      return withChanges(result, await this.#tree.end());
    }
    // As soon as it ends, whenever that is asked about: what a user changes after it is not the command's.
    const ended = this.#commands.whenEnded(handle);
    this.#changes.set(
      handle,
      ended.then(() => this.#tree.end()),
    );
    return result;
  }

  async poll(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    const changes = this.#changes.get(request.handle);
    const result = await this.#commands.poll(request, signal);
    if (changes === undefined || !result.ok || result.value.end === null) {
      return result;
    }
    this.#changes.delete(request.handle);
    return withChanges(result, await changes);
  }

  /** Ends what still runs, and enters what it changed. Never rejects. */
  async close(): Promise<void> {
    await this.#commands.close();
    await Promise.all(this.#changes.values());
    await this.#tree.close();
  }
}

function withChanges(
  result: StepResult<CommandReport>,
  { files, unkept, notes }: CommandChanges,
): StepResult<CommandReport> {
  return result.ok
    ? { ok: true, value: { ...result.value, changes: files, notes, ...(unkept !== null && { unkept }) } }
    : result;
}

function refuseNotUndoable(reason: string): StepResult<CommandReport> {
  return {
    ok: false,
    refusal: {
      code: 'needs-approval',
      message: reason,
      hint: 'Go on without commands, and say in the answer which ones the user should run.',
      retriable: false,
      risk: 'not-undoable',
    },
  };
}
