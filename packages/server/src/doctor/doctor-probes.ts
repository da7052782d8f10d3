import type { ApiLogin } from '@gemini-mcp/adapters-api';
import type { GeminiCliLocation } from '@gemini-mcp/adapters-node';
import type { AuthType } from '@gemini-mcp/adapters-node/internal';
import type { GeminiFailure, ModelList, SandboxState } from '@gemini-mcp/core';
import type { FoundLogin } from '@gemini-mcp/gemini/internal';

/** The parts of a CLI login. */
export type Login = {
  readonly authType: AuthType;
  /** Names of the variables set for a run, including those from the user's `.env`. */
  readonly variables: ReadonlySet<string>;
  /** Whether the CLI stores credentials of an account. */
  readonly hasAccount: boolean;
  /** Whether the CLI stores any credentials in its encrypted file. */
  readonly hasKeptCredentials: boolean;
};

/** Where the login for Google is. */
type LoginFound = Pick<FoundLogin, 'source' | 'problem'> & {
  /** The file of a stored key. */
  readonly path: string;
};

/** Access to the Gemini API. */
export type ApiFound = {
  /** Null if calls have no API login or never use the API. */
  readonly login: ApiLogin['type'] | null;
  /** Why the API is unusable although it is configured; null if usable or not configured. */
  readonly problem: string | null;
};

export type TrialCall = {
  readonly durationMs: number;
  /** Null if an answer came. */
  readonly failure: GeminiFailure | null;
};

export type TrialStart = {
  readonly durationMs: number;
  /** Why the process did not start; null if it did. */
  readonly problem: string | null;
};

/** The doctor's access to the machine. Probes never reject: each reports its own failure. */
export type DoctorProbes = {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  /** Milliseconds since the epoch. */
  now(): number;
  findApi(): Promise<ApiFound>;
  /** Resolves to null on abort. */
  locateCli(signal: AbortSignal): Promise<GeminiCliLocation | null>;
  readLogin(): Promise<Login>;
  /** Where the login is that `findApi` found. */
  readonly login: LoginFound;
  /** Resolves to the reason why a directory cannot be read, or to null if it can. */
  findReadProblem(directory: string): Promise<string | null>;
  /** Changes nothing. Resolves to the reason why the directory cannot be created, kept private or written to, or to null if it can. */
  findStateProblem(directory: string): Promise<string | null>;
  /** Resolves to a fault of the shared store, as the end of a sentence, or to null if it has no fault or is not set. */
  findStoreProblem(): Promise<string | null>;
  /** Resolves to the path of a program, or to null if not found. */
  findProgram(name: string): Promise<string | null>;
  /** Whether Gemini's commands can run in a sandbox. */
  findCommandSandbox(signal: AbortSignal): Promise<SandboxState>;
  /** The settings of upstream MCP servers; null if missing. */
  readServers(): Promise<{
    /** Names of the enabled servers. */
    readonly names: readonly string[];
    /** One line each, with its place in the file. */
    readonly problems: readonly string[];
  } | null>;
  /** Resolves to sentences for a user on why the keychain that encrypts logins is unusable, or to null if usable. */
  findKeychainProblem(): Promise<string | null>;
  /** The models that the Gemini API knows; null without a key for that API. */
  listModels(signal: AbortSignal): Promise<ModelList | null>;
  /** Starts a warm CLI process and ends it again. Sends no request to a model. */
  tryWarm(model: string, signal: AbortSignal): Promise<TrialStart>;
  /** Asks a model for one word over the backend that calls use. */
  tryCall(model: string, signal: AbortSignal): Promise<TrialCall>;
};
