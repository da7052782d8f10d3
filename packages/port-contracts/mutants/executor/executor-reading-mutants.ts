import type { FileListing, FoundLines, StepResult, ViewedFile, Workspace } from '@gemini-mcp/core';
import type { ExecutorMutant } from './executor-mutant.ts';

type Change<Value> = (value: Value) => Partial<Value>;

function changed<Value extends object>(result: StepResult<Value>, change: Change<Value>): StepResult<Value> {
  return result.ok ? { ok: true, value: { ...result.value, ...change(result.value) } } : result;
}

function viewing(change: (viewed: ViewedFile) => Partial<ViewedFile>): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right) => ({ viewFile: async (request, signal) => changed(await right.viewFile(request, signal), change) });
}

function listing(
  change: (listed: FileListing) => Partial<FileListing>,
): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right) => ({ listFiles: async (request, signal) => changed(await right.listFiles(request, signal), change) });
}

function searching(change: (found: FoundLines) => Partial<FoundLines>): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right) => ({
    searchFiles: async (request, signal) => changed(await right.searchFiles(request, signal), change),
  });
}

function asked(
  change: (request: Parameters<Workspace['searchFiles']>[0]) => Partial<Parameters<Workspace['searchFiles']>[0]>,
): NonNullable<ExecutorMutant['mutateWorkspace']> {
  return (right) => ({
    searchFiles: (request, signal) => right.searchFiles({ ...request, ...change(request) }, signal),
  });
}

/** Executors that show other content than the files have. */
export const executorReadingMutants: readonly ExecutorMutant[] = [
  {
    name: 'view-last-line-end',
    wrong: 'adds a line end to the last line',
    mutateWorkspace: viewing(({ text }) => ({ text: text === '' || text.endsWith('\n') ? text : `${text}\n` })),
  },
  {
    name: 'view-empty-line',
    wrong: 'counts a line in an empty file',
    mutateWorkspace: viewing(({ totalLines }) => ({ totalLines: Math.max(1, totalLines) })),
  },
  {
    name: 'view-cut-in-line',
    wrong: 'cuts a long file inside a line',
    mutateWorkspace: viewing(({ text }) => ({ text: text.slice(0, 38_999) })),
  },
  {
    name: 'view-uncut',
    wrong: 'never says that there are more lines',
    mutateWorkspace: viewing(({ lastLine }) => ({ totalLines: lastLine })),
  },
  {
    name: 'view-absolute',
    wrong: 'names a file as it was requested',
    mutateWorkspace: (right) => ({
      viewFile: async (request, signal) =>
        changed(await right.viewFile(request, signal), () => ({ path: request.path })),
    }),
  },
  {
    name: 'view-missing-empty',
    wrong: 'shows an empty file for a missing one',
    mutateWorkspace: (right) => ({
      viewFile: async (request, signal) => {
        const viewed = await right.viewFile(request, signal);
        const empty = { path: request.path, text: '', firstLine: 1, lastLine: 0, totalLines: 0, hash: '' };
        return !viewed.ok && viewed.refusal.code === 'not-found' ? { ok: true, value: empty } : viewed;
      },
    }),
  },
  {
    name: 'look-at-anything',
    wrong: 'takes text for an image by its name',
    mutateWorkspace: (right) => ({
      lookAt: async (path, signal) => {
        const seen = await right.lookAt(path, signal);
        const value = { path, mediaType: 'image/png', bytes: new Uint8Array() };
        return !seen.ok && path.endsWith('.png') ? { ok: true, value } : seen;
      },
    }),
  },
  {
    name: 'list-silently-cut',
    wrong: 'does not say that there is more',
    mutateWorkspace: listing(() => ({ isCut: false })),
  },
  {
    name: 'list-size-of-directories',
    wrong: 'gives directories a size',
    mutateWorkspace: listing(({ files }) => ({
      files: files.map((file) => ({ ...file, sizeBytes: file.kind === 'directory' ? 4_096 : file.sizeBytes })),
    })),
  },
  {
    name: 'list-pattern-from-top',
    wrong: 'takes a pattern relative to the working directory',
    mutateWorkspace: (right) => ({
      listFiles: (request, signal) =>
        right.listFiles(request.pattern === null ? request : { ...request, path: '.' }, signal),
    }),
  },
  {
    name: 'search-literal-as-pattern',
    wrong: 'takes text for a regular expression',
    mutateWorkspace: asked(() => ({ isPattern: true })),
  },
  {
    name: 'search-all-files',
    wrong: 'searches files that the pattern for files does not match',
    mutateWorkspace: asked(() => ({ filePattern: null })),
  },
  {
    name: 'search-with-returns',
    wrong: 'keeps the carriage return of a line end',
    mutateWorkspace: searching(({ lines }) => ({
      lines: lines.map((line) => (line.path.endsWith('.md') ? { ...line, text: `${line.text}\r` } : line)),
    })),
  },
  {
    name: 'search-silently-cut',
    wrong: 'does not say that there are more lines',
    mutateWorkspace: searching(() => ({ isCut: false })),
  },
  {
    name: 'search-cut-at-start',
    wrong: 'cuts a long line to its beginning, without the match',
    mutateWorkspace: searching(({ lines }) => ({
      lines: lines.map((line) => (line.text.length > 300 ? { ...line, text: 'a'.repeat(400) } : line)),
    })),
  },
  {
    name: 'search-uncounted',
    wrong: 'does not count what it skips',
    mutateWorkspace: searching(() => ({ passedOver: 0 })),
  },
];
