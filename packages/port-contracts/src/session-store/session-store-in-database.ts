import type { Session, SessionStore } from '@gemini-mcp/core';
import type { RecordDamage } from '../stores/store-features.ts';
import type { SessionStoreContractOptions } from './session-store.contract.ts';
import type { SessionStorePlace } from './session-store-harness.ts';

export type SessionDatabaseOptions<Database> = {
  /** A database without sessions: called for each test. */
  readonly open: () => Database | Promise<Database>;
  /** Called more than once for a database: the other stores must see what one has saved. */
  readonly createStore: (database: Database, place: SessionStorePlace) => SessionStore;
  /** Makes every write fail until the returned function is called. */
  readonly breakWriting?: (database: Database) => () => void | Promise<void>;
  /** Makes the deletion of rows fail, but not their replacement: for a promise about transactions. */
  readonly breakEvicting?: (database: Database) => () => void | Promise<void>;
  /** Changes the record of a session into one that the store cannot read. */
  readonly damage?: (database: Database, session: Session, damage: RecordDamage) => void | Promise<void>;
  readonly close: (database: Database) => void | Promise<void>;
};

/**
 * The harness of a store over a database, or anything else that a store can be opened over. All features are declared: a
 * store that lacks one says so after it, as in `features: { retention: false, … }`, and a missing hook fails.
 */
export function sessionStoreInDatabase<Database>(
  options: SessionDatabaseOptions<Database>,
): Pick<SessionStoreContractOptions, 'create' | 'features'> {
  const { open, createStore, breakWriting, breakEvicting, damage, close } = options;
  return {
    features: { retention: true, failures: true, damage: true, laterFormats: true },
    create: async (place) => {
      const database = await open();
      const reopen = (): SessionStore => createStore(database, place);
      return {
        store: reopen(),
        reopen,
        ...(breakWriting && {
          breakWriting: async () => {
            const mend = breakWriting(database);
            return async () => mend();
          },
        }),
        ...(breakEvicting && {
          breakEvicting: async () => {
            const mend = breakEvicting(database);
            return async () => mend();
          },
        }),
        ...(damage && { damage: async (session, how) => damage(database, session, how) }),
        dispose: async () => close(database),
      };
    },
  };
}
