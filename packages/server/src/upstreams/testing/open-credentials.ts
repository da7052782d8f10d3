import { FileRecordStore, SystemClock } from '@gemini-mcp/adapters-node';
import { KeychainSealer } from '@gemini-mcp/adapters-node/internal';
import { CredentialRecords, type Keychain } from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';

export type CredentialsPlace = {
  /** A state directory. */
  readonly directory: string;
  readonly keychain: Keychain;
  readonly isSealed: boolean;
};

/** The logins that a server keeps there. */
export function openCredentials({ directory, keychain, isSealed }: CredentialsPlace): CredentialRecords {
  const clock = new SystemClock();
  const records = new FileRecordStore({ directory, clock });
  const sealer = new KeychainSealer({ records, clock, keychain });
  return new CredentialRecords({ records, sha256: digestOf, sealer, isSealed });
}
