import type {
  Clock,
  LoopbackToolServer,
  RunEnd,
  RunEvent,
  RunnerCapabilities,
  RunRequest,
  RunSettings,
} from '@gemini-mcp/core';
import type { Environment } from '../processes/programs/child-environment.ts';
import type { ProgramPath } from '../processes/programs/program-path.ts';
import type { GeminiCli } from './finding/locate-gemini-cli.ts';
import type { CliOutcome } from './reading/cli-outcome.ts';
import type { RunLimit } from './run-limit.ts';
import type { WorkDirectory } from './work-directory.ts';

export type CliTransportOptions = {
  readonly clock: Clock;
  /** The server's own environment: what of it a run may see is decided here. */
  readonly environment: Environment;
  /** Private directory for the runs; made when it does not exist. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, where a login lies. */
  readonly userDirectory: string;
  /** Where the CLI finds the tools that runs lend. Without it, runs that lend some are refused as unsupported. */
  readonly loopbackToolServer?: LoopbackToolServer;
  /** Whether the project of a key may log requests, as it is set up in Google AI Studio. When it is missing, each asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean;
  /** Told of each run that is put to a process, and of what becomes of it; must not throw. */
  readonly onRun?: (report: RunReport) => void;
};

/** One request with all that is settled of it, whatever carries it. */
export type CliRun = {
  readonly request: RunRequest;
  readonly settings: RunSettings;
  readonly cli: GeminiCli;
  readonly programs: ProgramPath;
  readonly place: WorkDirectory;
};

/** What is told of a run before its end. */
export type ToldEvent = Exclude<RunEvent, RunEnd>;

/** Never waits: the reader of the events may take its time. */
export type Tell = (event: ToldEvent) => void;

/** One way in which the Gemini CLI carries a request. */
export interface CliTransport {
  readonly capabilities: RunnerCapabilities;
  /**
   * Resolves to the end of the run once everything of it is gone, soon after the limit at the latest. Rejects if the system has run out of
   * something, and for bugs.
   */
  carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<RunEnd>;
}

/** What there is to tell of one run of the CLI, for a log: once that it started, then what came, once that it ended. */
export type RunReport =
  | {
      readonly type: 'started';
      readonly runId: string;
      readonly model: string;
      readonly command: { readonly file: string; readonly arguments: readonly string[] };
      readonly directory: string;
      /** The whole environment of the run, secrets included: show only the names. */
      readonly environment: Readonly<Record<string, string>>;
      readonly input: string;
    }
  | { readonly type: 'text'; readonly runId: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly runId: string;
      readonly model: string;
      readonly durationMs: number;
      readonly end: RunEnd;
      /** What the end was read from; null where no process came to carry it. */
      readonly outcome: CliOutcome | null;
    };
