import { basename } from 'node:path';
import type { ModelChain, ReviewChange } from '@gemini-mcp/core';
import { shellWord } from '@gemini-mcp/core/internal';
import type { ClientSnippet, StdioEntry } from '../clients/client-form.ts';
import type { Check } from '../doctor/check.ts';
import type { ConfigurationRead, ConfigurationSources } from '../settings/read-configuration.ts';
import type { Setting } from '../settings/setting.ts';

/** One of the binaries, with everything its start needs. */
export type Program = {
  /** The command that starts it. Its messages begin with this name. */
  readonly name: string;
  /** All settings, in display order. */
  readonly settings: readonly Setting[];
  /** The client names for `--print-config`. */
  readonly clients: readonly string[];
  /** How to start the program with another Node: the end of a sentence that begins with installing one. */
  readonly nodeAdvice: string;
};

/** A program with everything its commands need. In its own file, so that a start does not load the commands. */
export type OperableProgram = Program & {
  /** The first part of `--help`: the purpose of the program, and how to start it. */
  readonly intro: string;
  /**
   * Resolves a principal's name to its owner. Null for a program with a single user, whose own settings and project count. Rejects
   * with a `ConfigurationError` for an unknown name.
   */
  readonly ownerOf: ((principal: string, sources: ConfigurationSources) => Promise<string>) | null;
  /** Resolves to the names of owners that the settings give. Null for a program with a single user. */
  readonly ownerNames: ((sources: ConfigurationSources) => Promise<ReadonlyMap<string, string>>) | null;
  /** Reads all settings. Throws a `ConfigurationError` that names the invalid variable or flag. */
  readonly readSettings: (sources: ConfigurationSources) => SettingsRead;
  /** Finds how clients start the program, for `setup`. Null for a program that clients do not start. */
  readonly findServer: ((invocation: Invocation) => Promise<FoundServer>) | null;
  /** Composes the program's parts for a review at a terminal. Null for a program with several users. */
  readonly startReviews: ((sources: ConfigurationSources) => Promise<ReviewsAtTerminal>) | null;
  /**
   * Returns the settings for one client, or a link that installs the server. Throws a `ConfigurationError` if the client could not
   * reach a server or has no such links.
   */
  readonly printConfig: (
    client: string,
    invocation: Invocation & { readonly link: boolean },
  ) => ClientSnippet | Promise<ClientSnippet>;
};

/** A program that is ready to review the changes of its user. */
export type ReviewsAtTerminal = {
  readonly reviewChange: Pick<ReviewChange, 'review'>;
  readonly owner: string;
  /** The working directory, and real paths of those that may be read; or why no file may be read. */
  readonly place: { readonly directory: string; readonly roots: readonly string[] } | { readonly problem: string };
  /** The models for a review without one, best first. */
  readonly models: ModelChain;
  readonly timeoutMs: number;
  /** Ends processes and connections. Never rejects. */
  readonly close: () => Promise<void>;
};

/** How clients start a program, or the reason why they could not, a sentence for a user. */
export type FoundServer =
  | {
      readonly server: StdioEntry;
      /** Puts the program where `server` starts it. Resolves to null, or to the reason for a failure. Missing if it is there. */
      readonly keep?: () => Promise<string | null>;
    }
  | { readonly problem: string };

export type SettingsRead = ConfigurationRead & {
  /** Runs this program's own checks, besides the shared ones. Never rejects: problems are part of the report. */
  readonly examine?: (signal: AbortSignal) => Promise<readonly Check[]>;
};

/** The circumstances of the program's start. */
export type Invocation = ConfigurationSources & {
  /** Path of the Node executable. */
  readonly nodePath: string;
  /** Absolute path of the program. */
  readonly programPath: string;
};

/** The shell command that starts this program again: its name only if it was started by name, because a clone is not on PATH. */
export function startedAs(name: string): string {
  const path = process.argv[1] ?? '';
  return basename(path) === name ? name : [process.execPath, path].map(shellWord).join(' ');
}
