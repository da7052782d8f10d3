import { FileRecordStore, SystemClock } from '@gemini-mcp/adapters-node';
import { CredentialRecords } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';

/** The logins that a server keeps in a state directory. */
export function openCredentials(directory: string): CredentialRecords {
  return new CredentialRecords({
    records: new FileRecordStore({ directory, clock: new SystemClock() }),
    sha256: digestOf,
  });
}
