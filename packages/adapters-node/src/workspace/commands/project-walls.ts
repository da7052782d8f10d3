import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandRequest, StepRefusal } from '@gemini-mcp/core';
import { isAlive } from '../../processes/process-identity.ts';
import type { CommandLimits } from './command-limits.ts';
import type { ProgramStart } from './plan/run-stage.ts';
import type { ProjectTurns } from './protect/project-turns.ts';
import type { MountedProtection, Protection } from './protect/protect-project.ts';
import { refuseUnmasked, refuseWithoutSandbox } from './refuse-step.ts';
import type { RunPlace } from './run-place.ts';
import type { SandboxedProgram } from './running/start-sandboxed.ts';
import { listTree, threadsOf } from './running/tree-usage.ts';
import type { FoundSandbox } from './sandbox/command-sandbox.ts';
import { findMovers } from './sandbox/find-movers.ts';
import { ProjectChanged } from './sandbox/mount-sources.ts';
import { type ProjectMount, projectMounts } from './sandbox/project-mounts.ts';
import type { SandboxView } from './sandbox/sandbox-view.ts';
import { startInSandbox } from './sandbox/start-in-sandbox.ts';
import type { ToolDirectories } from './tool-directories.ts';

export type ProjectWallsOptions = {
  readonly request: CommandRequest;
  readonly sandbox: FoundSandbox;
  readonly limits: CommandLimits;
  /** Real paths of the roots. */
  readonly directories: readonly string[];
  readonly workingDirectory: string;
  /** The real path in which programs start. */
  readonly directory: string;
  readonly network: boolean;
  readonly tools: ToolDirectories;
  readonly environment: Readonly<Record<string, string>>;
  readonly place: RunPlace;
  readonly protection: Protection;
  readonly turns: ProjectTurns;
};

type Looked = { readonly view: SandboxView; readonly mounts: readonly ProjectMount[] };

type SharedTurn = {
  readonly looked: Promise<Looked>;
  /** The number of programs that have not begun yet. */
  programs: number;
  readonly end: () => void;
};

/** Sandboxes the programs of one command line: each gets its own sandbox, built from the project as it is at the program's start. */
export class ProjectWalls {
  readonly #options: ProjectWallsOptions;
  #turn: SharedTurn | undefined;

  constructor(options: ProjectWallsOptions) {
    this.#options = options;
  }

  /** Real paths of names that exist only because they are held. */
  get heldPaths(): ReadonlySet<string> {
    return new Set(this.#options.protection.held.map(({ path }) => path));
  }

  /** Why the command line must not run with the project as it is; null if it may. Never rejects. */
  async refuse(): Promise<StepRefusal | null> {
    const endTurn = await this.#takeTurn();
    try {
      return this.#judge(await this.#look());
    } catch (error) {
      return refuseWithoutSandbox(error instanceof Error ? error.message : 'The project cannot be inspected.');
    } finally {
      endTurn();
    }
  }

  /**
   * Starts a program in its own sandbox. Rejects with the reason if the sandbox cannot be created. Looks again if the project changes
   * during the look, as it does while a user works in it.
   */
  async start(start: ProgramStart): Promise<SandboxedProgram> {
    const { sandbox, limits, environment, directory } = this.#options;
    for (let looks = 1; ; looks += 1) {
      const turn = this.#joinTurn();
      try {
        const program = startInSandbox({ sandbox, ...(await turn.looked), limits, environment, directory }, start);
        void program.begun.then(() => this.#leaveTurn(turn));
        return program;
      } catch (error) {
        this.#leaveTurn(turn);
        if (!(error instanceof ProjectChanged) || looks === maxLooks) {
          throw error;
        }
      }
    }
  }

  /** Releases held names, but not while a sandbox that mounts them is being created. */
  async release(): Promise<void> {
    const endTurn = await this.#takeTurn();
    this.#options.protection.release();
    endTurn();
  }

  #takeTurn(): Promise<() => void> {
    const { turns, directories } = this.#options;
    return turns.take(directories);
  }

  #look(): Promise<MountedProtection> {
    const { protection, request } = this.#options;
    return protection.look(request.isAllowedByUser === true);
  }

  #judge({ cut }: MountedProtection): StepRefusal | null {
    const { request, workingDirectory } = this.#options;
    return cut === null || request.accepts?.includes('unmasked') === true
      ? null
      : refuseUnmasked(cut, workingDirectory);
  }

  /** The programs of a pipe share a turn and its look: with the same mounts, none of them can move those of another. */
  #joinTurn(): SharedTurn {
    const turn = this.#turn ?? this.#beginTurn();
    this.#turn = turn;
    turn.programs += 1;
    return turn;
  }

  #beginTurn(): SharedTurn {
    const still = new HeldStill();
    const taken = this.#takeTurn();
    const end = (): void => {
      still.release();
      void taken.then((endTurn) => endTurn());
    };
    return { looked: taken.then(() => this.#lookUndisturbed(still)), programs: 0, end };
  }

  /** From then on a program has its own turn and look. */
  #leaveTurn(turn: SharedTurn): void {
    turn.programs -= 1;
    if (turn.programs === 0) {
      turn.end();
    }
    if (this.#turn === turn) {
      this.#turn = undefined;
    }
  }

  /** Commands that could move a mount's source are paused from before the look on. */
  async #lookUndisturbed(still: HeldStill): Promise<Looked> {
    for (let looks = 1; looks <= maxLooks; looks += 1) {
      const places = await this.#look();
      const refusal = this.#judge(places);
      if (refusal !== null) {
        throw new Error(refusal.message);
      }
      const view = this.#viewOf(places);
      const mounts = projectMounts(view);
      const movers = await findMovers(mounts, view.writable);
      if ([...movers].every((pid) => still.holds(pid))) {
        return { view, mounts };
      }
      await still.hold(movers);
    }
    throw new Error('Other commands keep starting in this project. Run this one again when they have ended');
  }

  #viewOf(places: MountedProtection): SandboxView {
    const { directories, tools, network, place } = this.#options;
    const masked = [...places.masked, ...tools.masked];
    return { ...places, writable: directories, toolPaths: tools.paths, masked, network, place: place.sandbox };
  }
}

const maxLooks = 3;

/** A fork bomb may go on for longer: then holding fails. */
const maxRounds = 100;
const roundMs = 1;

/** Pauses processes and all their descendants until they are released. */
export class HeldStill {
  readonly #tops = new Set<number>();
  readonly #stopped = new Set<number>();

  holds(top: number): boolean {
    return this.#tops.has(top);
  }

  /** Resolves once the processes and all their descendants are paused. Rejects if they cannot be paused. */
  async hold(tops: ReadonlySet<number>): Promise<void> {
    // Twice: a process may have been started during the first look.
    for (let rounds = 0, waiting = 0; waiting < 2; rounds += 1) {
      if (rounds === maxRounds) {
        throw notHeld();
      }
      const moving = await findMoving(tops);
      for (const pid of moving) {
        this.#stop(pid);
      }
      waiting = moving.length === 0 ? waiting + 1 : 0;
      await (moving.length === 0 ? undefined : delay(roundMs));
    }
    for (const top of tops) {
      this.#tops.add(top);
    }
  }

  release(): void {
    for (const pid of this.#stopped) {
      signal(pid, 'SIGCONT');
    }
    this.#stopped.clear();
    this.#tops.clear();
  }

  #stop(pid: number): void {
    this.#stopped.add(pid);
    signal(pid, 'SIGSTOP');
  }
}

/** Rejects if one of the processes cannot be paused. */
async function findMoving(tops: ReadonlySet<number>): Promise<readonly number[]> {
  const held = (await listTree(tops)).filter((pid) => !tops.has(pid));
  if (held.some(wakesItself)) {
    throw notHeld();
  }
  return held.filter(isMoving);
}

function notHeld(): Error {
  return new Error('Another command in this project cannot be paused. End it, and run this one again');
}

/** Whether a timer would resume a process however often it is stopped; true as well if the kernel does not show its timers. */
function wakesItself(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/timers`, 'latin1').includes(`signal: ${constants.signals.SIGCONT}/`);
  } catch {
    return isAlive({ pid, startTicks: null });
  }
}

/** A process whose first thread has ended looks like a zombie, so each thread counts. */
function isMoving(pid: number): boolean {
  return threadsOf(pid).some((thread) => isRunning(`/proc/${pid}/task/${thread}/stat`));
}

/** Neither stopped nor dead, according to field 3. */
function isRunning(statFile: string): boolean {
  try {
    const stat = readFileSync(statFile, 'latin1');
    return !/^[TZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
