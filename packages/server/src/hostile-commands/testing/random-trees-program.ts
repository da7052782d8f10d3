import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CommandReport, Workspace } from '@gemini-mcp/core';
import { judgeWrite } from '@gemini-mcp/core/internal';
import { openAttacked, planOfLine } from './open-attacked.ts';
import { RandomLines } from './random-line.ts';
import { createPickNumber, type PickNumber } from './random-pick.ts';
import { makeRandomTree, type RandomTree } from './random-tree.ts';
import { differingPaths, type SnapshotEntry, type TreeSnapshot, takeSnapshot } from './tree-snapshot.ts';

type RandomTreesReport = {
  /** Fewer than asked for if the time ran out. */
  trees: number;
  lines: number;
  /** Lines that were refused, or did not begin. */
  refused: number;
  /** Lines that changed something, and paths that they changed. */
  changing: number;
  changedPaths: number;
  /** What a line did that it may not do, with the seed of its tree and the lines of the run up to it. */
  readonly faults: string[];
};

const never = new AbortController().signal;
const [, , base = '', task = '{}'] = process.argv;
const linesOfRun = 10;
const maxEntries = 400;

/** One tree: lines in several runs, after each of which everything is compared. */
class AttackedTree {
  readonly #tree: RandomTree;
  readonly #lines: RandomLines;
  readonly #report: RandomTreesReport;
  readonly #name: string;
  readonly #outside: TreeSnapshot;
  #inside: TreeSnapshot;
  #workspace: Workspace | null = null;
  #done: string[] = [];

  constructor(name: string, pick: PickNumber, report: RandomTreesReport) {
    this.#name = name;
    this.#tree = makeRandomTree(join(base, name), pick);
    this.#lines = new RandomLines(this.#tree, pick);
    this.#report = report;
    this.#outside = takeSnapshot(this.#tree.outside, { times: true });
    this.#inside = takeSnapshot(this.#tree.project);
  }

  get isLarge(): boolean {
    return this.#inside.size > maxEntries;
  }

  async attack(index: number): Promise<void> {
    if (this.#workspace === null || index % linesOfRun === 0) {
      await this.close();
      openUp(this.#tree.project);
      this.#inside = takeSnapshot(this.#tree.project);
      const places = { runId: `${this.#name}-${index}`, ...this.#tree };
      this.#workspace = await openAttacked(join(base, 'state'), places);
    }
    const line = this.#lines.next([...this.#inside.keys()]);
    this.#done.push(line);
    this.#report.lines += 1;
    const request = { plan: planOfLine(line), timeoutMs: 30_000, waitMs: 60_000 };
    const result = await this.#workspace?.runCommand(request, never);
    if (result?.ok !== true || result.value.end?.type !== 'exited' || result.value.end.exitCode === 126) {
      this.#report.refused += 1;
    }
    this.#judge(result?.ok === true ? result.value : null);
  }

  async close(): Promise<void> {
    await this.#workspace?.close();
    this.#done = [];
  }

  remove(): void {
    openUp(join(base, this.#name));
    rmSync(join(base, this.#name), { recursive: true, force: true });
  }

  #judge(told: CommandReport | null): void {
    const canaries = told?.output.match(/CANARY-\w+-\d+/g);
    if (canaries != null) {
      this.#fault(`printed ${[...new Set(canaries)].join(', ')}`);
    }
    const now = takeSnapshot(this.#tree.outside, { times: true });
    const outside = differingPaths(this.#outside, now);
    if (outside.length > 0) {
      this.#fault(`changed outside ${JSON.stringify(outside)}`);
    }
    const before = this.#inside;
    this.#inside = takeSnapshot(this.#tree.project);
    const paths = differingPaths(before, this.#inside);
    this.#report.changing += Number(paths.length > 0);
    this.#report.changedPaths += paths.length;
    for (const path of paths) {
      this.#judgeChange(path, before);
    }
    const places = told === null ? null : new ToldPlaces(told, this.#tree);
    const untold = paths.filter(
      (path) => places?.hold(path, isDirectoryAlone(before.get(path), this.#inside.get(path))) !== true,
    );
    if (untold.length > countUnnamed(told)) {
      for (const path of untold) {
        const [old, young] = [before.get(path), this.#inside.get(path)];
        this.#fault(
          `changed ${JSON.stringify(path)}, which is not told: ${old?.state ?? '-'} -> ${young?.state ?? '-'}`,
        );
      }
    }
  }

  #judgeChange(path: string, before: TreeSnapshot): void {
    const [old, young] = [before.get(path), this.#inside.get(path)];
    const isProtected = judgeWrite({ path, isSensitive: () => false }).decision === 'deny';
    // Nothing is mounted over a link: SECURITY.md promises only that its change is told.
    const isGuarded = isProtected && old?.isLink === false && !isOfOthers(path);
    if (old !== undefined && (isGuarded || old.canaries.length > 0)) {
      this.#fault(`changed the protected ${JSON.stringify(path)}`);
    }
    if (young !== undefined && young.canaries.length > 0) {
      this.#fault(`copied ${young.canaries.join(', ')} to ${JSON.stringify(path)}`);
    }
  }

  /** Told at once too: a run of hours may be stopped before its report. */
  #fault(what: string): void {
    const fault = `${this.#name}, ${this.#done.length} of the run: ${what} by ${this.#done.at(-1)}`;
    this.#report.faults.push(fault);
    process.stderr.write(`${fault}\n`);
  }
}

/** So that the lines of the next run can do harm. */
function openUp(directory: string): void {
  execFileSync('chmod', ['-R', 'u+rwX', directory]);
}

/** Whether a directory is new or gone, and nothing else was there. */
function isDirectoryAlone(old: SnapshotEntry | undefined, young: SnapshotEntry | undefined): boolean {
  const [only, other] = old === undefined ? [young, old] : [old, young];
  return only?.isDirectory === true && other === undefined;
}

/** Settings of what others made protect nothing of this project. Secrets and repositories are protected there too. */
function isOfOthers(path: string): boolean {
  return /(?:^|\/)(?:node_modules|vendor|target|\.venv|\.cache)\//.test(path) && !/(?:^|\/)\.git(?:\/|$)/.test(path);
}

/** An account names at most a hundred groups of changes that cannot be undone, and counts the rest. */
function countUnnamed(told: CommandReport | null): number {
  const { count = 0, first = [] } = told?.unkept ?? {};
  return count - first.reduce((sum, group) => sum + group.count, 0);
}

/** What an account names. A line may change tens of thousands of paths, so each is looked up, not compared with all others. */
class ToldPlaces {
  readonly #project: string;
  readonly #notes: readonly string[];
  readonly #paths = new Set<string>();
  /** Directories above the reported paths. */
  readonly #above = new Set<string>();
  /** Directories whose contents are reported as one. */
  readonly #groups = new Set<string>();

  constructor({ changes, unkept, notes = [] }: CommandReport, { project, workingDirectory }: RandomTree) {
    this.#project = project;
    this.#notes = notes;
    for (const change of [...changes, ...(unkept?.first ?? [])]) {
      const path = join(change.path.startsWith('/') ? '' : workingDirectory, change.path);
      this.#paths.add(path);
      for (const directory of directoriesAbove(path)) {
        this.#above.add(directory);
      }
      if ('count' in change && change.count > 1) {
        this.#groups.add(path);
      }
    }
  }

  /** A report of a path below a new or removed directory covers the directory, and a note on a new repository covers its contents. */
  hold(path: string, isOfDirectory: boolean): boolean {
    const real = join(this.#project, path);
    const [repository] = /^.*?git-made-by-a-command-\d+/s.exec(real) ?? [];
    return (
      (repository !== undefined && this.#notes.some((note) => note.includes(basename(repository)))) ||
      this.#paths.has(real) ||
      (isOfDirectory && this.#above.has(real)) ||
      directoriesAbove(real).some((directory) => this.#groups.has(directory))
    );
  }
}

function directoriesAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...directoriesAbove(parent)];
}

const { trees = 5, lines = 10, seed = 1, minutes = 60 } = JSON.parse(task);
const endsAtMs = performance.now() + minutes * 60_000;
const report: RandomTreesReport = { trees: 0, lines: 0, refused: 0, changing: 0, changedPaths: 0, faults: [] };
for (let index = 0; index < trees && performance.now() < endsAtMs; index += 1) {
  report.trees += 1;
  const pick = createPickNumber(seed + index);
  let round = 0;
  let tree = new AttackedTree(`tree-${seed + index}`, pick, report);
  for (let line = 0; line < lines; line += 1) {
    if (tree.isLarge) {
      await tree.close();
      tree.remove();
      round += 1;
      tree = new AttackedTree(`tree-${seed + index}-${round}`, pick, report);
    }
    await tree.attack(line);
  }
  await tree.close();
  tree.remove();
}
process.stdout.write(JSON.stringify(report));
