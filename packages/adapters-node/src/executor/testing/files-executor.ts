import { lstatSync, realpathSync } from 'node:fs';
import type { Executor, StepResult, Workspace, WorkspaceOptions } from '@gemini-mcp/core';
import { isNoDirectory, notFound, outsideRoots, refusal, refused } from '@gemini-mcp/core/internal';
import { SystemClock } from '../../clock/system-clock.ts';
import { RealRoots } from '../../files/real-roots.ts';
import { WorkspaceFiles } from '../files/workspace-files.ts';
import type { JournalEntry } from '../journal/change-journal.ts';

/** An executor that does nothing but files, to try those alone. What its runs record is kept in memory. */
export class FilesExecutor implements Executor {
  readonly entries: JournalEntry[] = [];

  async sandbox(): Promise<{ available: false; reason: 'unsupported-system'; detail: string }> {
    return { available: false, reason: 'unsupported-system', detail: 'Only files.' };
  }

  async open({ workingDirectory, roots, mode }: WorkspaceOptions): Promise<StepResult<Workspace>> {
    const stats = lstatSync(workingDirectory, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) {
      return refused(stats === undefined ? notFound(workingDirectory) : isNoDirectory(workingDirectory));
    }
    const real = realpathSync(workingDirectory);
    if (!new RealRoots({ directories: roots }).contains(real)) {
      return refused(outsideRoots(workingDirectory));
    }
    const journal = { record: async (entry: JournalEntry): Promise<void> => void this.entries.push(entry) };
    const clock = new SystemClock();
    const files = new WorkspaceFiles({ workingDirectory: real, roots, privateDirectories: [], mode, journal, clock });
    return { ok: true, value: withoutCommands(files) };
  }

  async undo(): Promise<{ found: false }> {
    return { found: false };
  }
}

function withoutCommands(files: WorkspaceFiles): Workspace {
  const none = async (): Promise<StepResult<never>> => refused(refusal('refused-command', 'Only files.'));
  return {
    viewFile: (request, signal) => files.viewFile(request, signal),
    lookAt: (path, signal) => files.lookAt(path, signal),
    listFiles: (request, signal) => files.listFiles(request, signal),
    searchFiles: (request, signal) => files.searchFiles(request, signal),
    putFile: (request, signal) => files.putFile(request, signal),
    modifyFile: (request, signal) => files.modifyFile(request, signal),
    prepareCommands: async () => ({ commands: false, reason: 'Only files.' }),
    runCommand: none,
    pollCommand: none,
    changes: async () => ({ files: [], coverage: { commands: false, reason: 'Only files.' } }),
    close: () => files.close(),
  };
}
