/** Suites of the ports that only this project's packages use. Anything here may change in any release. */
export { InMemoryKeychain } from './keychain/in-memory-keychain.ts';
export { describeKeychainContract } from './keychain/keychain.contract.ts';
