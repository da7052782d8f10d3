import { ApprovalRecords } from '../approvals/approval-records.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';
import { ListRecords } from '../upstreams/list-records.ts';
import { PinRecords } from '../upstreams/pin-records.ts';
import { sha256 as digestOfBytes, utf8 } from './sha256.ts';

const sha256 = (text: string): string => digestOfBytes(utf8(text));

/** Approvals that live as long as the object. */
export function approvalsInMemory(): ApprovalRecords {
  return new ApprovalRecords({ records: new InMemoryRecordStore(), sha256 });
}

/** Lists of upstreams that live as long as the object. */
export function listsInMemory(): ListRecords {
  return new ListRecords(new InMemoryRecordStore(), sha256);
}

/** Pins of upstreams that live as long as the object. */
export function pinsInMemory(): PinRecords {
  return new PinRecords(new InMemoryRecordStore(), sha256);
}
