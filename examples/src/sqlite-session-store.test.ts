import { describeSessionStoreContract, sessionStoreInDatabase } from '@gemini-mcp/port-contracts';
import { Database } from 'node-sqlite3-wasm';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const damages = {
  truncated: 'record = substr(record, 1, 40)',
  foreign: "record = '[]'",
  'later-format': 'format = 2',
};

describeSessionStoreContract({
  name: 'SqliteSessionStore',
  ...sessionStoreInDatabase({
    open: () => new Database(),
    createStore: (database, place) => new SqliteSessionStore({ database, ...place }),
    breakWriting: (database) => {
      database.exec('PRAGMA query_only = on');
      return () => database.exec('PRAGMA query_only = off');
    },
    breakEvicting: (database) => {
      database.exec("CREATE TRIGGER broken BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'broken'); END");
      return () => database.exec('DROP TRIGGER broken');
    },
    damage: (database, { id }, damage) => {
      database.run(`UPDATE sessions SET ${damages[damage]} WHERE id = ?`, [JSON.stringify(id)]);
    },
    close: (database) => database.close(),
  }),
});
