import { InMemoryUsageLedger } from '@gemini-mcp/core/internal';
import { describeUsageLedgerContract } from './usage-ledger.contract.ts';

describeUsageLedgerContract({
  name: 'InMemoryUsageLedger',
  create: async () => ({ ledger: new InMemoryUsageLedger(), dispose: async () => undefined }),
});
