import { mediaTypeOf } from '../context/media-type-of.ts';
import { judgeElision, replaceInText } from '../edits/replace-in-text.ts';
import type { InlineMedia } from '../ports/context-resolver.ts';
import type { CommandReport, CommandRequest } from '../ports/workspace/command-steps.ts';
import type { SandboxState } from '../ports/workspace/executor.ts';
import type {
  ChangedFile,
  FileListing,
  FoundLines,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  SearchFilesRequest,
  ViewedFile,
  ViewFileRequest,
} from '../ports/workspace/file-steps.ts';
import type { StepRefusal, StepResult } from '../ports/workspace/step-result.ts';
import type { RunChanges, UndoCoverage } from '../ports/workspace/undo.ts';
import type { WorkMode, Workspace } from '../ports/workspace/workspace.ts';
import { judgePlace } from '../workspace/judge-change.ts';
import { SeenFiles } from '../workspace/seen-files.ts';
import * as refuse from '../workspace/step-refusals.ts';
import { viewLines } from '../workspace/view-lines.ts';
import { changeFake, isBelowFile } from './fake-change.ts';
import type { FakeCommands } from './fake-commands.ts';
import type { FakeFiles } from './fake-files.ts';
import type { FakeJournal } from './fake-journal.ts';
import type { FakePaths } from './fake-paths.ts';
import { listFakeFiles, searchFakeFiles } from './fake-search.ts';
import { fromUtf8, sha256, utf8 } from './sha256.ts';

export type FakeWorkspaceParts = {
  readonly files: FakeFiles;
  readonly paths: FakePaths;
  readonly journal: FakeJournal;
  readonly commands: FakeCommands;
  readonly mode: WorkMode;
  readonly sandbox: SandboxState;
};

/** A file that may be read. */
type ReadFile = { readonly place: string; readonly path: string; readonly bytes: Uint8Array };

const maxPutBytes = 2_097_152;
const maxTextBytes = 10_485_760;

/** One run's work on files in memory. */
export class FakeWorkspace implements Workspace {
  readonly #parts: FakeWorkspaceParts;
  readonly #seen = new SeenFiles();
  #isClosed = false;

  constructor(parts: FakeWorkspaceParts) {
    this.#parts = parts;
  }

  async viewFile(request: ViewFileRequest, signal: AbortSignal): Promise<StepResult<ViewedFile>> {
    const read = this.#read(request.path, signal);
    if (!read.ok) {
      return read;
    }
    const { place, path, bytes } = read.value;
    const text = fromUtf8(bytes);
    if (text === null || text.includes('\0')) {
      return refuse.refused(refuse.notText(path, 'binary'));
    }
    const viewed = viewLines(text, request);
    if (!viewed.ok) {
      return viewed;
    }
    this.#seen.see(place, sha256(bytes), viewed.value.seen);
    return { ok: true, value: { ...viewed.value.viewed, path, hash: sha256(bytes) } };
  }

  async lookAt(path: string, signal: AbortSignal): Promise<StepResult<InlineMedia>> {
    const read = this.#read(path, signal);
    if (!read.ok) {
      return read;
    }
    const mediaType = mediaTypeOf(read.value.bytes);
    return mediaType === null
      ? refuse.refused(refuse.noMedia(read.value.path))
      : { ok: true, value: { path: read.value.path, mediaType, bytes: read.value.bytes.slice() } };
  }

  async listFiles(request: ListFilesRequest, signal: AbortSignal): Promise<StepResult<FileListing>> {
    const because = this.#refusesAll(signal);
    return because === null ? listFakeFiles(this.#parts, request) : refuse.refused(because);
  }

  async searchFiles(request: SearchFilesRequest, signal: AbortSignal): Promise<StepResult<FoundLines>> {
    const because = this.#refusesAll(signal);
    return because === null ? searchFakeFiles(this.#parts, request) : refuse.refused(because);
  }

  async putFile(request: PutFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    const { files } = this.#parts;
    const located = this.#locateChange(request.path, signal);
    if (!located.ok) {
      return located;
    }
    const place = located.value;
    const path = this.#parts.paths.show(place);
    const after = utf8(request.content);
    if (after.length > maxPutBytes) {
      return refuse.refused(refuse.tooLarge(path, after.length, maxPutBytes, 'Write it in parts.'));
    }
    const kind = files.kindOf(place);
    if (kind === 'directory' || isBelowFile(files, place)) {
      return refuse.refused(
        kind === 'directory'
          ? refuse.isNoFile(path, 'a directory')
          : refuse.isNoDirectory(path.replace(/\/[^/]*$/, '')),
      );
    }
    const fault = judgeElision(request.content, fromUtf8(files.read(place) ?? utf8('')) ?? '');
    if (fault !== null) {
      return refuse.refused(refuse.refusal(fault.code, fault.message, fault.hint));
    }
    return changeFake(this.#parts, this.#seen, {
      place,
      after,
      replacesWhole: true,
      consent: request.consent,
      notes: [],
    });
  }

  async modifyFile(request: ModifyFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    const located = this.#locateChange(request.path, signal);
    const read = located.ok ? this.#read(request.path, signal) : located;
    if (!read.ok) {
      return read;
    }
    const { place, path, bytes } = read.value;
    if (bytes.length > maxTextBytes) {
      return refuse.refused(refuse.tooLarge(path, bytes.length, maxTextBytes, ''));
    }
    const seen = this.#seen.find(place);
    if (seen !== null && seen.hash !== sha256(bytes)) {
      return refuse.refused(refuse.changedSinceRead(path));
    }
    const text = fromUtf8(bytes);
    if (text === null) {
      return refuse.refused(refuse.notText(path, 'binary'));
    }
    const replaced = replaceInText(text, request.replacements);
    if (!replaced.ok) {
      const { code, message, hint } = replaced.fault;
      return refuse.refused(refuse.refusal(code, message, hint));
    }
    const { notes } = replaced;
    return changeFake(this.#parts, this.#seen, {
      place,
      after: utf8(replaced.text),
      replacesWhole: false,
      consent: request.consent,
      notes,
    });
  }

  async prepareCommands(): Promise<UndoCoverage> {
    return { commands: true };
  }

  async runCommand(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    const { mode, sandbox, commands } = this.#parts;
    const because = this.#refusesAll(signal);
    if (because !== null) {
      return refuse.refused(because);
    }
    if (mode !== 'full') {
      return refuse.refused(refuse.refusal('refused-command', `This run has the mode ${mode}, without commands.`));
    }
    return sandbox.available
      ? { ok: true, value: commands.run(request.plan) }
      : refuse.refused(refuse.refusal('sandbox-unavailable', sandbox.detail));
  }

  async pollCommand(
    { handle, stop }: { readonly handle: string; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    const because = this.#refusesAll(signal);
    const report = because === null ? this.#parts.commands.poll(handle, stop) : null;
    return report === null
      ? refuse.refused(because ?? refuse.refusal('not-found', `There is no command ${handle}.`))
      : { ok: true, value: report };
  }

  async changes(): Promise<RunChanges> {
    return { files: this.#parts.journal.changes(), coverage: { commands: true }, unkept: null };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.journal.close();
  }

  #refusesAll(signal: AbortSignal): StepRefusal | null {
    if (this.#isClosed) {
      return refuse.isClosed();
    }
    return signal.aborted ? refuse.cancelled() : null;
  }

  #read(name: string, signal: AbortSignal): StepResult<ReadFile> {
    const { files, paths } = this.#parts;
    const because = this.#refusesAll(signal);
    const place = paths.locate(name);
    if (because !== null || place === null) {
      return refuse.refused(because ?? refuse.outsideRoots(name));
    }
    const path = paths.show(place);
    if (paths.isSecret(place)) {
      return refuse.refused(refuse.looksSecret(path));
    }
    const bytes = files.read(place);
    if (bytes === null) {
      this.#seen.forget(place);
      const isDirectory = files.kindOf(place) === 'directory';
      return refuse.refused(isDirectory ? refuse.isNoFile(path, 'a directory') : refuse.notFound(path));
    }
    return { ok: true, value: { place, path, bytes } };
  }

  #locateChange(name: string, signal: AbortSignal): StepResult<string> {
    const { paths, mode } = this.#parts;
    const because = this.#refusesAll(signal);
    const place = paths.locate(name);
    if (because !== null || place === null) {
      return refuse.refused(because ?? refuse.outsideRoots(name));
    }
    const denied = judgePlace({ mode, path: paths.show(place), judgement: paths.judge(place) });
    return denied === null ? { ok: true, value: place } : refuse.refused(denied);
  }
}
