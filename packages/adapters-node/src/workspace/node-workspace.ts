import type {
  ChangedFile,
  Clock,
  CommandReport,
  CommandRequest,
  FileListing,
  FoundLines,
  InlineMedia,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  RunChanges,
  SearchFilesRequest,
  StepResult,
  UndoCoverage,
  ViewedFile,
  ViewFileRequest,
  WorkMode,
  Workspace,
} from '@gemini-mcp/core';
import {
  cancelled,
  isClosed,
  judgeElision,
  notFound,
  refusal,
  refused,
  replaceInText,
  SeenFiles,
  tooLarge,
} from '@gemini-mcp/core/internal';
import type { RealRoots } from '../disk/real-roots.ts';
import type { WorkspaceCommands } from './commands/workspace-commands.ts';
import { type ChangeTools, changeRunFile, type NewContent } from './files/change-run-file.ts';
import { listRunFiles } from './files/list-run-files.ts';
import { lookAtRunFile, type RunFile, textOfFile, viewRunFile } from './files/read-run-file.ts';
import { refuseFault, retryTransient } from './files/refuse-target.ts';
import { RunReach, type RunReachOptions, showName } from './files/run-reach.ts';
import { searchRunFiles } from './files/search/search-run-files.ts';
import { listChanges } from './journal/describe-change.ts';
import type { ChangeJournal } from './journal/file-state.ts';
import type { SavedRun } from './journal/run-journals.ts';
import type { CommandChanges, WatchedTree } from './journal/tree/watched-tree.ts';

/** The record of a run that may change files. */
export type RunRecord = {
  readonly kept: SavedRun;
  readonly tree: WatchedTree;
  readonly roots: RealRoots;
};

export type NodeWorkspaceOptions = RunReachOptions & {
  readonly mode: WorkMode;
  /** Records each change before it is made. */
  readonly journal: ChangeJournal;
  readonly clock: Clock;
  readonly commands: WorkspaceCommands;
  /** Null if the run is read-only. */
  readonly record: RunRecord | null;
};

/** Models write smaller files; a larger one is data. */
const maxPutBytes = 2_097_152;

/** A replacement may make a file larger, but not without bound. */
const maxModifiedBytes = 20_971_520;

/**
 * The files and commands of one run, and the journal of its changes. Files are changed one at a time.
 *
 * Beyond the port's contract: a change through a link is made to its target, if that lies below a root; a hard link outside the roots keeps
 * its content, because a new file replaces the changed one; a read-only file stays unchanged. A file keeps its owner if the system allows
 * it. Access lists and extended attributes are not kept.
 *
 * Not promised: that another program's change survives if it comes within the milliseconds between the last look and the exchange; on
 * systems without /proc, what `openVerified` cannot promise either.
 */
export class NodeWorkspace implements Workspace {
  readonly #tools: ChangeTools;
  readonly #clock: Clock;
  readonly #commands: WatchedCommands | WorkspaceCommands;
  readonly #record: RunRecord | null;
  readonly #workingDirectory: string;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: NodeWorkspaceOptions) {
    const { mode, journal, clock, commands, record, workingDirectory } = options;
    this.#tools = { reach: new RunReach(options), seen: new SeenFiles(), mode, journal };
    this.#clock = clock;
    this.#commands = record === null ? commands : new WatchedCommands(commands, record.tree);
    this.#record = record;
    this.#workingDirectory = workingDirectory;
  }

  viewFile(request: ViewFileRequest, signal: AbortSignal): Promise<StepResult<ViewedFile>> {
    const { reach, seen } = this.#tools;
    return this.#take(request.path, async () => viewRunFile(reach, seen, request), signal);
  }

  lookAt(path: string, signal: AbortSignal): Promise<StepResult<InlineMedia>> {
    return this.#take(path, async () => lookAtRunFile(this.#tools.reach, path), signal);
  }

  listFiles(request: ListFilesRequest, signal: AbortSignal): Promise<StepResult<FileListing>> {
    const options = { reach: this.#tools.reach, clock: this.#clock };
    return this.#take(request.path, () => listRunFiles(options, request, signal), signal);
  }

  searchFiles(request: SearchFilesRequest, signal: AbortSignal): Promise<StepResult<FoundLines>> {
    const options = { reach: this.#tools.reach, clock: this.#clock };
    return this.#take(request.path, () => searchRunFiles(options, request, signal), signal);
  }

  putFile({ path: name, content, consent }: PutFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    const sizeBytes = Buffer.byteLength(content);
    const makeContent = (before: RunFile | null): StepResult<NewContent> => {
      if (sizeBytes > maxPutBytes) {
        return refused(tooLarge(showName(name), sizeBytes, maxPutBytes, 'Write it in parts.'));
      }
      const fault = judgeElision(content, before?.bytes.toString() ?? '');
      return fault === null
        ? { ok: true, value: { bytes: Buffer.from(content), notes: [] } }
        : refused(refusal(fault.code, fault.message, fault.hint));
    };
    const change = { name, replacesWhole: true, consent, makeContent };
    return this.#takeInTurn(name, () => changeRunFile(this.#tools, change, signal), signal);
  }

  modifyFile(request: ModifyFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    const { path: name, replacements, consent } = request;
    const makeContent = (before: RunFile | null): StepResult<NewContent> => {
      const text = before === null ? refused(notFound(showName(name))) : textOfFile(before, name);
      return text.ok ? modifyText(name, text.value, replacements) : text;
    };
    const change = { name, replacesWhole: false, consent, makeContent };
    return this.#takeInTurn(name, () => changeRunFile(this.#tools, change, signal), signal);
  }

  async prepareCommands(signal: AbortSignal): Promise<UndoCoverage> {
    return this.#record?.tree.prepare(signal) ?? nothingChanges;
  }

  runCommand(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    return this.#commands.run(request, signal);
  }

  pollCommand(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    return this.#commands.poll(request, signal);
  }

  async changes(signal: AbortSignal): Promise<RunChanges> {
    if (this.#record === null) {
      return { files: [], coverage: nothingChanges, unkept: null };
    }
    const { kept, tree, roots } = this.#record;
    const { account, contents } = kept.journal;
    const workingDirectory = this.#workingDirectory;
    return {
      files: await listChanges(account, { contents, roots, workingDirectory }, signal),
      coverage: tree.coverage,
      unkept: tree.unkept,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#turn, this.#commands.close()]);
    await this.#record?.kept.end();
  }

  #takeInTurn<Value>(
    name: string,
    step: () => Promise<StepResult<Value>>,
    signal: AbortSignal,
  ): Promise<StepResult<Value>> {
    const turn = this.#turn.then(() => this.#take(name, step, signal));
    this.#turn = turn;
    return turn;
  }

  async #take<Value>(
    name: string,
    step: () => Promise<StepResult<Value>>,
    signal: AbortSignal,
  ): Promise<StepResult<Value>> {
    if (this.#isClosed) {
      return refused(isClosed());
    }
    if (signal.aborted) {
      return refused(cancelled());
    }
    try {
      return await retryTransient(this.#clock, step, signal);
    } catch (error) {
      return refused(signal.aborted ? cancelled() : refuseFault(name, error));
    }
  }
}

const nothingChanges: UndoCoverage = { commands: true };

function modifyText(
  name: string,
  text: string,
  replacements: ModifyFileRequest['replacements'],
): StepResult<NewContent> {
  const replaced = replaceInText(text, replacements);
  if (!replaced.ok) {
    const { code, message, hint } = replaced.fault;
    return refused(refusal(code, message, hint));
  }
  const bytes = Buffer.from(replaced.text);
  return bytes.length > maxModifiedBytes
    ? refused(tooLarge(showName(name), bytes.length, maxModifiedBytes, 'Replace less, or with less.'))
    : { ok: true, value: { bytes, notes: replaced.notes } };
}

/** The commands of a run, with their changes: each command's changes are reported at its end and kept for undo. */
class WatchedCommands {
  readonly #commands: WorkspaceCommands;
  readonly #tree: WatchedTree;
  /** The changes of commands that outlived their first report and whose end is not reported yet. */
  readonly #changes = new Map<string, Promise<CommandChanges>>();

  constructor(commands: WorkspaceCommands, tree: WatchedTree) {
    this.#commands = commands;
    this.#tree = tree;
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
    // Compares as soon as the command ends, not when the report is requested: the user's later changes are not the command's.
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

  /** Ends running commands, and records their changes. Never rejects. */
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
