import type { ChangeRead, FileDiff, UnreadFile, UnreadReason } from '@gemini-mcp/core';
import { type PatchFile, parsePatch, textAfterPatch } from '@gemini-mcp/core/internal';
import type { RealRoots } from '../../disk/real-roots.ts';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import { readFromDisk } from './tree-files.ts';

/** Where the files of a patch lie. */
export type PatchPlace = {
  /** Real. */
  readonly directory: string;
  readonly roots: RealRoots;
};

/** Opens a patch that a caller brought, with the files of a directory that it fits. */
export function openPatch(text: string, place: PatchPlace): ChangeRead {
  const parsed = parsePatch(text);
  if (!parsed.ok) {
    return parsed;
  }
  const read = parsed.files.map((file) => readFile(file, place));
  return {
    ok: true,
    change: {
      title: 'the given patch',
      files: read
        .flatMap((one) => ('reason' in one ? [] : [one]))
        .toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      unread: read.flatMap((one) => ('reason' in one ? [one] : [])),
      listPaths: async () => [],
      readTexts: async () => new Map(),
      findMentions: async () => [],
      close: async () => undefined,
    },
  };
}

function readFile(file: PatchFile, place: PatchPlace): FileDiff | UnreadFile {
  const { oldPath, newPath, text: patch } = file;
  const path = newPath ?? oldPath ?? '';
  const reason = unreadReason(file, path);
  if (reason !== null) {
    return { path, reason };
  }
  const previousPath = oldPath === path || newPath === null ? null : oldPath;
  return { path, previousPath, status: statusOf(file), patch, text: textAfter(file, path, place) };
}

function statusOf({ oldPath, newPath }: PatchFile): FileDiff['status'] {
  if (oldPath === null) {
    return 'added';
  }
  return newPath === null ? 'deleted' : 'modified';
}

function textAfter(file: PatchFile, path: string, { directory, roots }: PatchPlace): string | null {
  const { hunks } = file;
  switch (statusOf(file)) {
    case 'deleted':
      return null;
    case 'added':
      return hunks.flatMap(({ lines }) => lines.map(({ text }) => `${text}\n`)).join('');
    case 'modified': {
      const read = readFromDisk(directory, path, { roots, maxBytes: maxFileBytes });
      return read.ok ? textAfterPatch(read.text, hunks) : null;
    }
  }
}

const maxFileBytes = 1_048_576;

function unreadReason({ isBinary, isSubmodule, hunks, oldPath }: PatchFile, path: string): UnreadReason | null {
  const names = [path, oldPath ?? path];
  if (names.some((name) => name.startsWith('/') || /^[a-z]:/i.test(name) || name.split(/[\\/]/).includes('..'))) {
    return 'outside-roots';
  }
  if (names.some(isSensitivePath)) {
    return 'sensitive';
  }
  if (isBinary || isSubmodule) {
    return isBinary ? 'binary' : 'submodule';
  }
  return hunks.length === 0 ? 'no-lines' : null;
}
