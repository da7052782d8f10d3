import type { ClientSnippet } from '../clients/client-form.ts';
import type { Check } from '../doctor/check.ts';
import type { ConfigurationRead, ConfigurationSources } from '../settings/read-configuration.ts';
import type { Program } from './program.ts';

/** A program, and what its commands need in addition. A file of its own, so that a start does not load what it can do without. */
export type OperableProgram = Program & {
  /** The first part of `--help`: what the program is, and how to start it. */
  readonly intro: string;
  /**
   * The owner of what belongs to a principal; null for a program of one user, whose own settings and project count. Rejects with a
   * `ConfigurationError` for a name that it does not know.
   */
  readonly ownerOf: ((principal: string, sources: ConfigurationSources) => Promise<string>) | null;
  /** Reads all settings. Throws a `ConfigurationError` that names the wrong variable or flag. */
  readonly readSettings: (sources: ConfigurationSources) => SettingsRead;
  /** The settings for one client. Throws a `ConfigurationError` where the client would find no server. */
  readonly printConfig: (client: string, invocation: Invocation) => ClientSnippet | Promise<ClientSnippet>;
};

export type SettingsRead = ConfigurationRead & {
  /** Checks what this program needs in addition to the shared checks. Never rejects: it reports what is wrong. */
  readonly examine?: (signal: AbortSignal) => Promise<readonly Check[]>;
};

/** How the program was started. */
export type Invocation = ConfigurationSources & {
  /** The Node that runs it. */
  readonly nodePath: string;
  /** Its absolute path. */
  readonly programPath: string;
};
