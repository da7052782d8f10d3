import type { CommandReport, CommandRequest, FileChange, StepResult, UndoCoverage } from '@gemini-mcp/core';
import type { WorkspaceCommands } from './commands/workspace-commands.ts';
import type { WatchedTree } from './journal/watched-tree.ts';

/** The commands of a run, with what each of them changed: it is told with the end of the command, and kept so that it can be undone. */
export class WatchedCommands {
  readonly #commands: WorkspaceCommands;
  readonly #tree: WatchedTree;
  /** Handles of commands whose end was not told yet. */
  readonly #open = new Set<string>();

  constructor(commands: WorkspaceCommands, tree: WatchedTree) {
    this.#commands = commands;
    this.#tree = tree;
  }

  prepare(signal: AbortSignal): Promise<UndoCoverage> {
    return this.#tree.prepare(signal);
  }

  async run(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    await this.#tree.prepare(signal);
    await this.#tree.begin(signal);
    const result = await this.#commands.run(request, signal);
    if (result.ok && result.value.handle !== null) {
      this.#open.add(result.value.handle);
      return result;
    }
    return withChanges(result, await this.#tree.end());
  }

  async poll(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    const result = await this.#commands.poll(request, signal);
    const hasEnded = result.ok && result.value.end !== null && this.#open.delete(request.handle);
    return hasEnded ? withChanges(result, await this.#tree.end()) : result;
  }

  /** Ends what still runs, and enters what it changed. Never rejects. */
  async close(): Promise<void> {
    await this.#commands.close();
    for (const handle of this.#open) {
      this.#open.delete(handle);
      await this.#tree.end();
    }
    await this.#tree.close();
  }
}

function withChanges(result: StepResult<CommandReport>, changes: readonly FileChange[]): StepResult<CommandReport> {
  return result.ok ? { ok: true, value: { ...result.value, changes } } : result;
}
