/** Suites of the ports that are for the other packages of this project. Anything here may change in any release. */
export { describeCredentialStoreContract } from './credential-store.contract.ts';
export { InMemoryKeychain } from './in-memory-keychain.ts';
export { describeKeptListsContract } from './kept-lists.contract.ts';
export { describeKeptPinsContract } from './kept-pins.contract.ts';
export { describeKeychainContract } from './keychain.contract.ts';
export { recordsInTemporaryDirectory } from './records-in-directory.ts';
