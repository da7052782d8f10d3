import type { CommandPlan, Executor } from '@gemini-mcp/core';
import type { FakeExecutor, FakeExecutorOptions, ScriptedCommand } from '@gemini-mcp/core/testing';
import type { ExecutorContractOptions } from './executor.contract.ts';
import { lastingPlan } from './executor-commands.contract.ts';
import type { PlaceFiles } from './executor-harness.ts';

/** The harness of an executor over files in memory; `wrap` may break it. */
export function executorInMemory(
  create: (options: FakeExecutorOptions) => FakeExecutor,
  wrap: (executor: FakeExecutor) => Executor = (executor) => executor,
): Pick<ExecutorContractOptions, 'create' | 'features'> {
  return {
    features: { links: true, modes: false, commands: true },
    create: async ({ tree, outside, links }) => {
      const beside = Object.entries(outside).map(([path, content]) => [`../${path}`, content] as const);
      const executor = create({ tree: { ...tree, ...Object.fromEntries(beside) }, links, command: scriptOf });
      const { workingDirectory } = executor.files;
      const dispose = async (): Promise<void> => undefined;
      return { executor: wrap(executor), workingDirectory, files: filesOf(executor), dispose };
    },
  };
}

/** The commands of the contract. */
function scriptOf(plan: CommandPlan): ScriptedCommand {
  const printing: ScriptedCommand = { outputs: ['hello there'], exitCode: 3 };
  return plan === lastingPlan ? { outputs: ['', '', ''], exitCode: 0 } : printing;
}

function filesOf({ files }: FakeExecutor): PlaceFiles {
  const unsupported = async (): Promise<never> => {
    throw new Error('files in memory have no permission bits');
  };
  return {
    read: async (path) => files.read(path),
    write: async (path, content) => files.write(path, content),
    remove: async (path) => files.remove(path),
    all: async () => files.all().map((path) => path.replace(`${files.workingDirectory}/`, '')),
    mode: unsupported,
    setMode: unsupported,
  };
}
