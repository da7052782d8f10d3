import { randomBytes } from 'node:crypto';
import { AnswerRecords, SessionRecords } from '@gemini-mcp/core';
import {
  answerStoreInTemporaryDirectory,
  describeAnswerStoreContract,
  describeRecordStoreContract,
  describeSessionStoreContract,
  recordStoreInTemporaryDirectory,
  sessionStoreInTemporaryDirectory,
} from '@gemini-mcp/port-contracts';
import { FileRecordStore } from './file-record-store.ts';

const laterRecord = '{"format":99}\n';

describeRecordStoreContract({
  name: 'FileRecordStore',
  ...recordStoreInTemporaryDirectory((clock, directory) => new FileRecordStore({ clock, directory }), { laterRecord }),
});

describeSessionStoreContract({
  name: 'SessionRecords in files',
  ...sessionStoreInTemporaryDirectory(
    ({ clock, ...place }, directory) =>
      new SessionRecords({ records: new FileRecordStore({ clock, directory }), ...place }),
    { laterRecord },
  ),
});

describeAnswerStoreContract({
  name: 'AnswerRecords in files',
  ...answerStoreInTemporaryDirectory(
    (bounds, directory) =>
      new AnswerRecords({
        records: new FileRecordStore({ clock: bounds.clock, directory }),
        createHandle: () => randomBytes(10).toString('hex'),
        ...bounds,
      }),
    { laterRecord },
  ),
});
