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
  /** The server's own environment. Each run gets an allowed subset of it. */
  readonly environment: Environment;
  /** Private directory for the runs; created if missing. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, which holds the login. */
  readonly userDirectory: string;
  /** Serves model tools to the CLI. If missing, runs that offer tools fail as unsupported. */
  readonly loopbackToolServer?: LoopbackToolServer;
  /** Whether the project of a key may log requests, as set in Google AI Studio. If missing, each request asks Google to store nothing. */
  readonly allowsGoogleLogs?: boolean;
  /** Receives the start and the outcome of each CLI process; must not throw. */
  readonly onRun?: (report: RunReport) => void;
};

/** One request with its resolved settings, independent of the transport. */
export type CliRun = {
  readonly request: RunRequest;
  readonly settings: RunSettings;
  readonly cli: GeminiCli;
  readonly programs: ProgramPath;
  readonly place: WorkDirectory;
};

/** An event of a run before its end. */
export type ToldEvent = Exclude<RunEvent, RunEnd>;

/** Must not block: the reader of the events may be slow. */
export type Tell = (event: ToldEvent) => void;

/** One way to run a request on the Gemini CLI: a process per request, or a session of a warm process. */
export interface CliTransport {
  readonly capabilities: RunnerCapabilities;
  /**
   * Resolves to the end of the run after all its processes and files are gone, soon after the limit at the latest. Rejects if the system
   * runs out of a resource, and for bugs.
   */
  carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<RunEnd>;
}

/** A log entry about one run of the CLI: one for the start, one for what it received, one for the end. */
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
      /** The outcome that the end was derived from; null if no process started. */
      readonly outcome: CliOutcome | null;
    };
