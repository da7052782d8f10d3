import type { ClientSnippet } from '../clients/client-form.ts';
import type { Check } from '../doctor/check.ts';
import type { ConfigurationRead, ConfigurationSources } from '../settings/read-configuration.ts';
import type { Program } from './program.ts';

/** A program, and what its commands need in addition. A file of its own, so that a start does not load what it can do without. */
export type OperableProgram = Program & {
  /** The first part of `--help`: what it is, and how it is started. */
  readonly intro: string;
  /** Reads everything that can be set. Throws a `ConfigurationError` that names the variable or the flag which is wrong. */
  readonly readSettings: (sources: ConfigurationSources) => SettingsRead;
  /** What a client of `clients` takes. Throws a `ConfigurationError` where the client would find no server. */
  readonly printConfig: (client: string, invocation: Invocation) => ClientSnippet | Promise<ClientSnippet>;
};

export type SettingsRead = ConfigurationRead & {
  /** Looks at what this program needs in addition to every other one. Never rejects: what is wrong is what it reports. */
  readonly examine?: (signal: AbortSignal) => Promise<readonly Check[]>;
};

/** How the program was started. */
export type Invocation = ConfigurationSources & {
  /** The Node that runs it. */
  readonly nodePath: string;
  /** Its absolute path. */
  readonly programPath: string;
};
