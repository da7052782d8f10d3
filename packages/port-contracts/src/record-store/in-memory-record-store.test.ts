import { randomUUID } from 'node:crypto';
import { AnswerRecords, InMemoryRecordStore, SessionRecords } from '@gemini-mcp/core';
import { describeAnswerStoreContract } from '../answer-store/answer-store.contract.ts';
import { describeSessionStoreContract } from '../session-store/session-store.contract.ts';
import { describeRecordStoreContract } from './record-store.contract.ts';

// Nothing can fail in memory, and no other program writes there.
const features = { failures: false, damage: false, laterFormats: false };

const never = async (): Promise<void> => undefined;

describeRecordStoreContract({
  name: 'InMemoryRecordStore',
  features,
  create: async (clock) => {
    const store = new InMemoryRecordStore(clock);
    return { store, reopen: () => store, dispose: never };
  },
});

describeSessionStoreContract({
  name: 'SessionRecords in memory',
  features: { ...features, retention: true },
  create: async ({ clock, ...place }) => {
    const records = new InMemoryRecordStore(clock);
    const reopen = (): SessionRecords => new SessionRecords({ records, ...place });
    return { store: reopen(), reopen, dispose: never };
  },
});

describeAnswerStoreContract({
  name: 'AnswerRecords in memory',
  features,
  create: async (bounds) => {
    const records = new InMemoryRecordStore(bounds.clock);
    const createHandle = (): string => randomUUID().replaceAll('-', '');
    const reopen = (): AnswerRecords => new AnswerRecords({ records, createHandle, ...bounds });
    return { store: reopen(), reopen, dispose: never };
  },
});
