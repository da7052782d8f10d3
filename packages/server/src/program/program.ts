import { basename } from 'node:path';
import { shellWord } from '@gemini-mcp/core/internal';
import type { ClientSnippet } from '../clients/client-forms.ts';
import type { Check } from '../doctor/check.ts';
import type { ConfigurationRead, ConfigurationSources } from '../settings/read-configuration.ts';
import type { Setting } from '../settings/setting.ts';

/** One of the binaries, with what its start needs. */
export type Program = {
  /** The command that starts it. Its messages begin with this name. */
  readonly name: string;
  /** All of its settings, in the order in which they are shown. */
  readonly settings: readonly Setting[];
  /** The names that `--print-config` takes. */
  readonly clients: readonly string[];
  /** How it comes to be started by another Node: the end of a sentence that begins with installing one. */
  readonly nodeAdvice: string;
};

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

/** How a shell starts this program again: by its name if it was started by that, since the name is not on the PATH of a clone. */
export function startedAs(name: string): string {
  const path = process.argv[1] ?? '';
  return basename(path) === name ? name : [process.execPath, path].map(shellWord).join(' ');
}
