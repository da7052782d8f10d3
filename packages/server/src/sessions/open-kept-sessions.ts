import { SystemClock } from '@gemini-mcp/adapters-node';
import type { SessionStore } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import { createRecordStore, createSessionStore } from '../composition/create-stores.ts';
import type { OperableProgram } from '../program/operable-program.ts';
import type { ConfigurationSources } from '../settings/read-configuration.ts';

export type KeptSessions = {
  readonly store: SessionStore;
  /** What to tell on stderr once the store has been used: lines with their ends. */
  readonly notes: () => string;
};

/** Opens the conversations that a server with these settings keeps. Throws a `ConfigurationError` for a wrong setting. */
export function openKeptSessions(program: OperableProgram, sources: ConfigurationSources): KeptSessions {
  const { configuration } = program.readSettings(sources);
  const lines: string[] = [];
  if (configuration.sessionRetentionDays === 0) {
    lines.push(
      'With a retention of 0 days conversations are kept in the memory of a server alone: nothing is found here.\n',
    );
  }
  const onQuarantine = ({ path, reason }: { readonly path: string; readonly reason: string }): void => {
    lines.push(`A record could not be read (${escapeName(reason)}) and was moved to ${escapeName(path)}.\n`);
  };
  const records = createRecordStore(configuration, new SystemClock(), onQuarantine);
  const store = createSessionStore({ configuration, records });
  return { store, notes: () => lines.join('') };
}
