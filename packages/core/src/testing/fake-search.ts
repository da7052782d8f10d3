import { finishSteps } from '../context/plan-lines.ts';
import type {
  FileListing,
  FoundLine,
  FoundLines,
  ListedFile,
  ListFilesRequest,
  SearchFilesRequest,
} from '../ports/workspace/file-steps.ts';
import type { StepResult } from '../ports/workspace/step-result.ts';
import { createLineSearch, type FindInLine, searchLines } from '../workspace/line-search.ts';
import * as refuse from '../workspace/step-refusals.ts';
import type { FakeFiles } from './fake-files.ts';
import type { FakePaths } from './fake-paths.ts';
import { isBelow, matchesPattern } from './in-memory-paths.ts';
import { fromUtf8 } from './sha256.ts';

type Where = { readonly files: FakeFiles; readonly paths: FakePaths };

const maxListed = 2_000;
const maxLines = 500;

export function listFakeFiles({ files, paths }: Where, request: ListFilesRequest): StepResult<FileListing> {
  const { path, pattern } = request;
  const place = paths.locate(path);
  if (place === null) {
    return refuse.refused(refuse.outsideRoots(path));
  }
  if (paths.isSecret(place)) {
    return refuse.refused(refuse.looksSecret(path));
  }
  if (files.kindOf(place) !== 'directory') {
    return refuse.refused(files.kindOf(place) === null ? refuse.notFound(path) : refuse.isNoDirectory(path));
  }
  const found =
    pattern === null
      ? entriesOf(files, place)
      : below(files, place).filter((each) => matchesPattern(pattern, each.slice(place.length + 1)));
  const listed = found.map((each) => describe({ files, paths }, each)).sort(byPath);
  return { ok: true, value: { files: listed.slice(0, maxListed), isCut: listed.length > maxListed } };
}

export function searchFakeFiles(where: Where, request: SearchFilesRequest): StepResult<FoundLines> {
  const search = createLineSearch(request);
  const within = search.ok ? findSearched(where, request) : search;
  if (!search.ok) {
    return search;
  }
  return within.ok ? { ok: true, value: searchIn(where, within.value, search.value) } : within;
}

function findSearched(
  { files, paths }: Where,
  { path, filePattern }: SearchFilesRequest,
): StepResult<readonly string[]> {
  const place = paths.locate(path);
  if (place === null) {
    return refuse.refused(refuse.outsideRoots(path));
  }
  const kind = files.kindOf(place);
  if (kind === null || paths.isSecret(place)) {
    return refuse.refused(kind === null ? refuse.notFound(path) : refuse.looksSecret(path));
  }
  const inside = kind === 'file' ? [place] : below(files, place).filter((each) => files.kindOf(each) === 'file');
  const isWanted = (each: string): boolean =>
    filePattern === null || kind === 'file' || matchesPattern(filePattern, each.slice(place.length + 1));
  return { ok: true, value: inside.filter(isWanted).sort() };
}

function searchIn({ files, paths }: Where, places: readonly string[], find: FindInLine): FoundLines {
  const lines: FoundLine[] = [];
  let read = 0;
  let passedOver = 0;
  for (const place of places) {
    const text = paths.isSecret(place) ? null : fromUtf8(files.read(place) ?? new Uint8Array());
    if (text === null || text.includes('\0')) {
      passedOver += 1;
    } else if (lines.length <= maxLines) {
      read += 1;
      const found = finishSteps(searchLines(text, find, maxLines + 1));
      lines.push(...found.map((line) => ({ path: paths.show(place), ...line })));
    }
  }
  return { lines: lines.slice(0, maxLines), isCut: lines.length > maxLines, files: read, passedOver };
}

/** All files and links below a directory, except ignored ones. */
function below(files: FakeFiles, directory: string): readonly string[] {
  const rules = files.readText('.gitignore')?.split('\n') ?? [];
  const isIgnored = (path: string): boolean => path.split('/').some((name) => name === '.git' || rules.includes(name));
  return files.all().filter((path) => isBelow(path, directory) && !isIgnored(path.slice(directory.length + 1)));
}

function entriesOf(files: FakeFiles, directory: string): readonly string[] {
  const inside = files.all().filter((path) => isBelow(path, directory));
  const names = inside.map((path) => path.slice(directory.length + 1).split('/')[0] ?? '');
  return [...new Set(names)].map((name) => `${directory}/${name}`);
}

function describe({ files, paths }: Where, path: string): ListedFile {
  const kind = files.kindOf(path) ?? 'other';
  return { path: paths.show(path), kind, sizeBytes: kind === 'file' ? (files.read(path)?.length ?? 0) : 0 };
}

function byPath(one: ListedFile, other: ListedFile): number {
  return one.path < other.path ? -1 : 1;
}
