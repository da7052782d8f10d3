import type { ApiLogin } from '@gemini-mcp/adapters-api';
import type { GeminiCliLocation } from '@gemini-mcp/adapters-node';
import type { AuthType } from '@gemini-mcp/adapters-node/internal';
import type { GeminiFailure, ModelList, SandboxState } from '@gemini-mcp/core';

/** The parts of a login of the CLI. */
export type Login = {
  readonly authType: AuthType;
  /** Names of the variables that are set for a run, those of the user's `.env` among them. */
  readonly variables: ReadonlySet<string>;
  /** Whether the CLI keeps the credentials of an account. */
  readonly hasAccount: boolean;
  /** Whether the CLI keeps credentials of any kind in a file that it alone can read. */
  readonly hasKeptCredentials: boolean;
};

/** How the Gemini API itself would be asked. */
export type ApiFound = {
  /** Null where calls have none for it, or never go there. */
  readonly login: ApiLogin['type'] | null;
  /** Why it cannot be asked although it should be; null where nothing is wrong. */
  readonly problem: string | null;
};

export type TrialCall = {
  readonly durationMs: number;
  /** Null when an answer came. */
  readonly failure: GeminiFailure | null;
};

export type TrialStart = {
  readonly durationMs: number;
  /** Why the process did not start; null when it did. */
  readonly problem: string | null;
};

/** How the doctor examines the machine. None of these rejects: each reports what it could not find out. */
export type DoctorProbes = {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  /** Milliseconds since the epoch. */
  now(): number;
  findApi(): Promise<ApiFound>;
  /** Null on abort. */
  locateCli(signal: AbortSignal): Promise<GeminiCliLocation | null>;
  readLogin(): Promise<Login>;
  /** Resolves to the reason why a directory cannot be read; null when it can. */
  findReadProblem(directory: string): Promise<string | null>;
  /** Changes nothing. Resolves to the reason why the directory cannot be made, be private or be written to; null when it can. */
  findStateProblem(directory: string): Promise<string | null>;
  /** Resolves to the path of a program; null when there is none. */
  findProgram(name: string): Promise<string | null>;
  /** Whether the commands of Gemini can be run in a sandbox. */
  findCommandSandbox(signal: AbortSignal): Promise<SandboxState>;
  /** What the settings of other MCP servers say; null where there are none. */
  readServers(): Promise<{
    /** Of those that are on. */
    readonly names: readonly string[];
    /** Each with its place, on one line. */
    readonly problems: readonly string[];
  } | null>;
  /** Why the keychain that logins are sealed with cannot be used: sentences for a user. Null where it can. */
  findKeychainProblem(): Promise<string | null>;
  /** Those that the Gemini API knows; null where it is asked with no key of that API. */
  listModels(signal: AbortSignal): Promise<ModelList | null>;
  /** Starts the CLI as it is kept running between calls, and ends it again. Asks no model anything. */
  tryWarm(model: string, signal: AbortSignal): Promise<TrialStart>;
  /** Asks a model for one word, by the way that calls go. */
  tryCall(model: string, signal: AbortSignal): Promise<TrialCall>;
};
