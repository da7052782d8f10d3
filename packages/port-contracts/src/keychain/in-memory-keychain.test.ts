import { InMemoryKeychain } from './in-memory-keychain.ts';
import { describeKeychainContract } from './keychain.contract.ts';

describeKeychainContract({
  name: 'InMemoryKeychain',
  create: async () => {
    const keychain = new InMemoryKeychain();
    return {
      store: keychain,
      reopen: () => new InMemoryKeychain(keychain.secrets),
      breakAll: async () => {
        keychain.problem = 'The keychain of this test is locked.';
      },
      dispose: async () => undefined,
    };
  },
});
