import type { StdioEntry } from '../clients/client-form.ts';
import type { ClientSettingsPaths } from '../mcp-command/mcp-context.ts';
import type { SetupRecords } from './setup-records.ts';

/** The machine and user that `setup` works for. */
export type SetupContext = {
  readonly places: ClientSettingsPaths;
  readonly records: SetupRecords;
  /** How clients start this server. */
  readonly server: StdioEntry;
  /** Removes the copies of this server that clients no longer start. Never rejects. */
  readonly removePrograms: () => Promise<void>;
  /** Resolves to the absolute path of a program on PATH, or to null. */
  readonly findProgram: (name: string) => Promise<string | null>;
  /** Runs a client's own command to its end. Resolves to whether it succeeded. */
  readonly run: (file: string, args: readonly string[], signal: AbortSignal) => Promise<boolean>;
};
