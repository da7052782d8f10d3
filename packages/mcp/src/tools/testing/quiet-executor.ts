import type { Executor, RunChanges, StepResult, UndoReport, UndoRequest, Workspace } from '@gemini-mcp/core';

/** A project in which there is nothing. */
export class QuietExecutor implements Executor {
  readonly changes: RunChanges;
  /** The runs that can be undone. */
  readonly undone: UndoRequest[] = [];
  readonly #undo: UndoReport;
  #open = 0;

  constructor({ changes, undo }: { readonly changes?: RunChanges; readonly undo?: UndoReport } = {}) {
    this.changes = changes ?? { files: [], coverage: { commands: true } };
    this.#undo = undo ?? { found: false };
  }

  /** Workspaces that were opened and not closed. */
  get openWorkspaces(): number {
    return this.#open;
  }

  async sandbox(): Promise<Awaited<ReturnType<Executor['sandbox']>>> {
    return { available: false, reason: 'missing', detail: 'There is no sandbox here.' };
  }

  async open(): Promise<StepResult<Workspace>> {
    this.#open += 1;
    const refuse = async (): Promise<StepResult<never>> => ({
      ok: false,
      refusal: { code: 'not-found', message: 'There is nothing here.', hint: '', retriable: false },
    });
    const workspace: Workspace = {
      viewFile: refuse,
      lookAt: refuse,
      listFiles: refuse,
      searchFiles: refuse,
      putFile: refuse,
      modifyFile: refuse,
      runCommand: refuse,
      pollCommand: refuse,
      prepareCommands: async () => this.changes.coverage,
      changes: async () => this.changes,
      close: async () => {
        this.#open -= 1;
      },
    };
    return { ok: true, value: workspace };
  }

  async undo(request: UndoRequest): Promise<UndoReport> {
    this.undone.push(request);
    return this.#undo;
  }
}
