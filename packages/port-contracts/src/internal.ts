/** Suites of the ports that are for the other packages of this project. Anything here may change in any release. */
export { InMemoryKeychain } from './keychain/in-memory-keychain.ts';
export { describeKeychainContract } from './keychain/keychain.contract.ts';
