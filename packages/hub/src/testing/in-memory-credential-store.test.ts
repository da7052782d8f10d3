import { describeCredentialStoreContract } from '@gemini-mcp/port-contracts/internal';
import { InMemoryCredentialStore } from './in-memory-credential-store.ts';

describeCredentialStoreContract({
  name: 'InMemoryCredentialStore',
  features: { failures: true, damage: false, laterFormats: false },
  create: async () => {
    const store = new InMemoryCredentialStore();
    return {
      store,
      reopen: () => store.asProcess('second'),
      ended: () => {
        const killed = store.asProcess('killed');
        killed.kill();
        return killed.renewer;
      },
      breakWriting: async () => {
        store.problem = 'there is no space left';
        return async () => {
          store.problem = null;
        };
      },
      dispose: async () => undefined,
    };
  },
});
