import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChangedFile, StepResult, WorkMode } from '@gemini-mcp/core';
import { SystemClock } from '../../processes/system-clock.ts';
import { WorkspaceCommands } from '../commands/workspace-commands.ts';
import type { JournalEntry } from '../journal/file-state.ts';
import { NodeWorkspace, type NodeWorkspaceOptions } from '../node-workspace.ts';

const never = new AbortController().signal;

const noCommands = new WorkspaceCommands({
  maxOutputBytes: 0,
  prepare: () => Promise.reject(new Error('these tests run no commands')),
  clear: async () => undefined,
});

/** A directory with a root and a place outside it, for tests of a run's file steps. */
export class FilesPlace {
  readonly base: string = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-files-')));
  readonly root: string = join(this.base, 'ROOT');
  readonly entries: JournalEntry[] = [];

  constructor() {
    mkdirSync(this.root);
    mkdirSync(join(this.base, 'OUT'));
  }

  /** `path` begins at the directory that holds the root. */
  put(path: string, content: string | Uint8Array = ''): void {
    mkdirSync(dirname(join(this.base, path)), { recursive: true });
    writeFileSync(join(this.base, path), content);
  }

  files(mode: WorkMode = 'edit', fields: Partial<NodeWorkspaceOptions> = {}): NodeWorkspace {
    const journal = { record: async (entry: JournalEntry): Promise<void> => void this.entries.push(entry) };
    return new NodeWorkspace({
      workingDirectory: this.root,
      roots: [this.root],
      privateDirectories: [],
      mode,
      journal,
      clock: new SystemClock(),
      commands: noCommands,
      record: null,
      ...fields,
    });
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** One replacement in one file. */
export function modifyOne(
  files: NodeWorkspace,
  path: string,
  oldText: string,
  newText: string,
): Promise<StepResult<ChangedFile>> {
  return files.modifyFile({ path, replacements: [{ oldText, newText, all: false }] }, never);
}

/** The result of every step on a path: the code of its refusal, or `done`. */
export async function codesOn(files: NodeWorkspace, path: string): Promise<readonly string[]> {
  const search = { text: 'C', isPattern: false, ignoresCase: false, filePattern: null };
  const results = [
    await files.viewFile({ path }, never),
    await files.lookAt(path, never),
    await files.listFiles({ path, pattern: null }, never),
    await files.listFiles({ path, pattern: '**' }, never),
    await files.searchFiles({ path, ...search }, never),
    await modifyOne(files, path, 'C', 'ours'),
    await files.putFile({ path, content: 'ours' }, never),
  ];
  return results.map((result) => (result.ok ? 'done' : result.refusal.code));
}
