import type { Executor, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import type { FakeExecutor } from '@gemini-mcp/core/testing';
import type { Mutant } from '../prove-mutants.ts';

export type ExecutorMutant = Mutant & {
  readonly mutate?: (right: FakeExecutor) => Partial<Executor>;
  readonly mutateWorkspace?: (
    right: Workspace,
    options: WorkspaceOptions,
    executor: FakeExecutor,
  ) => Partial<Workspace>;
};

/** The right executor with one change. */
export function breakExecutor(right: FakeExecutor, mutant: ExecutorMutant): Executor {
  const changed = mutant.mutate?.(right) ?? {};
  return {
    sandbox: changed.sandbox ?? (() => right.sandbox()),
    undo: changed.undo ?? ((request, signal) => right.undo(request, signal)),
    open: async (options, signal) => {
      const opened = await (changed.open?.(options, signal) ?? right.open(options, signal));
      return opened.ok ? { ok: true, value: breakWorkspace(opened.value, options, right, mutant) } : opened;
    },
  };
}

function breakWorkspace(
  right: Workspace,
  options: WorkspaceOptions,
  executor: FakeExecutor,
  { mutateWorkspace }: ExecutorMutant,
): Workspace {
  const changed = mutateWorkspace?.(right, options, executor) ?? {};
  return new Proxy(right, {
    get: (target, name) => {
      const member: unknown = Reflect.get(changed, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
