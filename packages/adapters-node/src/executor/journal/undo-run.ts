import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { UndonePath } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { errorCode } from '../../state/error-code.ts';
import { describeSystemError } from './describe-system-error.ts';
import type { KeptContents } from './kept-contents.ts';
import { type LookedAt, lookAtPlace } from './look-at-place.ts';
import { absent, isSameState, type PlaceState } from './place-state.ts';
import { reachPlace } from './reach-place.ts';
import { restorePlace } from './restore-place.ts';
import { isLeftBy, type PathAccount, type RunAccount } from './run-account.ts';

export type RunToUndo = {
  readonly runId: string;
  readonly account: RunAccount;
  readonly contents: KeptContents;
  readonly roots: RealRoots;
  /** Notes that what is at the path may be missing from here on. */
  readonly onGap: (path: string) => Promise<void>;
};

type Outcome = Pick<UndonePath, 'outcome' | 'reason'>;

/** What became of each path of a run, directories among them. */
export type UndoneRun = ReadonlyMap<string, Outcome>;

/** Puts back the paths of a run that are wanted. What fails at one path stops no other. Never rejects. */
export async function undoRun(
  run: RunToUndo,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<UndoneRun> {
  const asked = run.account.paths.filter(({ path }) => isWanted(path));
  const around = directoriesAround(asked);
  const wanted = run.account.paths.filter((one) => isWanted(one.path) || (isOfDirectory(one) && around.has(one.path)));
  const downwards = wanted.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const upwards = downwards.toReversed();
  const outcomes = new Map<string, Outcome>();
  const step = async (one: PathAccount, isLast: boolean): Promise<void> => {
    const outcome = signal.aborted ? refuse('The undo was stopped before it.') : await undoPath(run, one, isLast);
    const known = outcomes.get(one.path);
    // A directory that was opened up first is set right at the end.
    if (known === undefined || known.outcome === 'already-as-before' || outcome.outcome === 'refused') {
      outcomes.set(one.path, outcome);
    }
  };
  // Who may not write to a directory can take nothing out of it.
  for (const one of downwards.filter(({ last }) => !isSameState(last, openedUp(last)))) {
    await openUp(run, one);
  }
  // What the run made goes first, from the inside; then what was there comes back, from the outside.
  for (const one of upwards.filter(({ first }) => first.kind === 'absent')) {
    await step(one, true);
  }
  for (const one of downwards.filter(({ first }) => first.kind !== 'absent')) {
    await step(one, false);
  }
  for (const one of upwards.filter(({ first }) => first.kind === 'directory')) {
    await step(one, true);
  }
  return outcomes;
}

function directoriesAround(paths: readonly PathAccount[]): ReadonlySet<string> {
  const around = new Set<string>();
  for (const { path } of paths) {
    for (let above = dirname(path); above !== dirname(above) && !around.has(above); above = dirname(above)) {
      around.add(above);
    }
  }
  return around;
}

/** Whether the run made a directory there, or took one away. */
function isOfDirectory({ first, last }: PathAccount): boolean {
  return first.kind === 'directory' || last.kind === 'directory';
}

async function undoPath(run: RunToUndo, path: PathAccount, isLast: boolean): Promise<Outcome> {
  // As it is now: the first of two passes over a directory may have noted something.
  const one = run.account.at(path.path) ?? path;
  try {
    const reached = await reachPlace(one.path, run.roots, async (at) => undoAt(run, one, at, isLast));
    if (reached.reached) {
      return reached.value;
    }
    return reached.isMissing && one.first.kind === 'absent' ? asBefore : refuse(reached.reason);
  } catch (error) {
    if (one.first.kind === 'absent' && errorCode(error) === 'ENOTEMPTY') {
      // A directory of the run with something else in it.
      return asBefore;
    }
    return refuse(`It could not be put back: ${describeSystemError(error)}.`);
  }
}

async function undoAt(run: RunToUndo, one: PathAccount, at: string, isLast: boolean): Promise<Outcome> {
  const found = await lookAtPlace(at);
  if (isSameState(found.state, one.first) || isSameState(one.first, one.last)) {
    return asBefore;
  }
  const objection = findObjection(one, found);
  if (objection !== null) {
    return refuse(objection);
  }
  const content = one.first.kind === 'file' ? await contentOf(run, one.first.hash) : null;
  if (one.first.kind === 'file' && content === null) {
    return refuse(notKept);
  }
  const wanted = isLast ? one.first : openedUp(one.first);
  if (!isSameState(wanted, one.first)) {
    await run.onGap(one.path);
  }
  const obstacle = await restorePlace({
    at,
    draftAt: join(dirname(at), draftNameOf(run.runId, one.path)),
    found,
    wanted,
    content,
    onGap: () => run.onGap(one.path),
  });
  if (obstacle !== null) {
    return refuse(obstacle);
  }
  return wanted.kind === 'absent' ? { outcome: 'removed', reason: '' } : restored(one.first);
}

/** A directory as the run left it. Where that fails, what is done in it says why. */
async function openUp(run: RunToUndo, one: PathAccount): Promise<void> {
  const open = async (at: string): Promise<void> => {
    const found = await lookAtPlace(at);
    if (findObjection(one, found) === null && found.state.kind === 'directory') {
      const onGap = (): Promise<void> => run.onGap(one.path);
      await onGap();
      await restorePlace({ at, draftAt: at, found, wanted: openedUp(found.state), content: null, onGap });
    }
  };
  await reachPlace(one.path, run.roots, open).catch(() => undefined);
}

async function contentOf({ contents }: RunToUndo, hash: string | null): Promise<Uint8Array | null> {
  return hash === null ? null : contents.read(hash);
}

/** Why a path is not put back, in a sentence; null when it may be. */
function findObjection(one: PathAccount, { state }: LookedAt): string | null {
  if (one.isMixed) {
    return 'Something else changed it in the middle of the run: the changes of the run cannot be told from that.';
  }
  const isHalfUndone = [absent, openedUp(one.first), openedUp(one.last)].some((half) => isSameState(state, half));
  if (isLeftBy(one, state) || (one.isBeingUndone && isHalfUndone)) {
    return null;
  }
  return state.kind === 'absent'
    ? 'It is not there any more: it was moved or deleted after the run.'
    : 'It was changed after the run.';
}

function restored(first: PlaceState): Outcome {
  return { outcome: 'restored', reason: first.kind === 'file' && first.isLinked === true ? wasLinked : '' };
}

const wasLinked = 'It had other names (hard links): those are files of their own now.';

const notKept = 'Its content was not kept, or what was kept is damaged.';

const asBefore: Outcome = { outcome: 'already-as-before', reason: '' };

function refuse(reason: string): Outcome {
  return { outcome: 'refused', reason };
}

/** A directory that can be written, so that what was in it can be put back; it gets its own mode when that is done. */
function openedUp(state: PlaceState): PlaceState {
  const isOfMode = state.kind === 'directory' && state.mode !== null;
  return isOfMode ? { kind: 'directory', mode: (state.mode ?? 0) | 0o700 } : state;
}

/** The same each time, so that the next undo finds the draft of one that was killed. */
function draftNameOf(runId: string, path: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([runId, path]))
    .digest('hex');
  return `.gemini-mcp-undo-${digest.slice(0, 16)}`;
}
