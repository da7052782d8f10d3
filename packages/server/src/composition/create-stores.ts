import { randomBytes } from 'node:crypto';
import { FileAuditLog, FileRecordStore, FileUsageLedger, type Quarantined } from '@gemini-mcp/adapters-node';
import {
  AnswerRecords,
  type AnswerStore,
  ApprovalRecords,
  type ApprovalStore,
  type AuditLog,
  type Clock,
  type JobReport,
  KeptJobs,
  type RecordStore,
  SessionRecords,
  type SessionStore,
  type UsageLedger,
} from '@gemini-mcp/core';
import { InMemoryUsageLedger } from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';
import type { ToolOutcome } from '@gemini-mcp/mcp';
import type { Configuration } from '../settings/read-configuration.ts';
import type { Observers } from './observers.ts';
import { openSharedStore } from './open-shared-store.ts';

export type StoreParts = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly records: RecordStore;
};

const dayMs = 86_400_000;

/** Creates an unpredictable handle for an answer or a job. */
function createHandle(): string {
  return randomBytes(12).toString('hex');
}

type PlaceOfRecords = Pick<Configuration, 'stateDirectory' | 'store' | 'storePasswordFile' | 'storePrefix'>;

/** What outlives a process and belongs to this machine, in private files of the state directory. */
export function createLocalRecordStore(
  { stateDirectory: directory }: Pick<Configuration, 'stateDirectory'>,
  clock: Clock,
  onQuarantine: (quarantined: Quarantined) => void,
): RecordStore {
  return new FileRecordStore({ directory, clock, onQuarantine });
}

/** What outlives a process and may be shared with other machines: in the same files, unless the settings name a shared store. */
export function createRecordStore(
  configuration: PlaceOfRecords,
  clock: Clock,
  onQuarantine: (quarantined: Quarantined) => void,
): RecordStore {
  const { store: address } = configuration;
  return address === null
    ? createLocalRecordStore(configuration, clock, onQuarantine)
    : openSharedStore({ configuration, address, clock, onDamage: onQuarantine });
}

/** Stores conversations. With a retention of 0 days they stay in memory and end with the process. */
export function createSessionStore({ configuration, records }: Omit<StoreParts, 'clock'>): SessionStore {
  const { sessionRetentionDays } = configuration;
  if (sessionRetentionDays === 0) {
    return new SessionRecords();
  }
  const retentionMs = sessionRetentionDays === Number.POSITIVE_INFINITY ? null : sessionRetentionDays * dayMs;
  return new SessionRecords({ records, retentionMs });
}

/** Stores long answers. */
export function createAnswerStore({ records, clock }: Omit<StoreParts, 'configuration'>): AnswerStore {
  return new AnswerRecords({ records, clock, createHandle });
}

export type JobParts = StoreParts &
  Pick<Observers, 'onJobError'> & {
    readonly onJobEnd: (ended: JobReport<ToolOutcome>) => void;
  };

/** Runs jobs, and stores their ends. With a retention of 0 days these stay in memory, because they may hold answers of conversations. */
export function createJobs({ configuration, clock, records, onJobEnd, onJobError }: JobParts): KeptJobs<ToolOutcome> {
  return new KeptJobs<ToolOutcome>({
    ...{ clock, createHandle, onEnd: onJobEnd, onError: onJobError },
    records: configuration.sessionRetentionDays === 0 ? null : records,
    isResult: isStoredOutcome,
  });
}

/** Written by this server, in this version or another one. */
function isStoredOutcome(value: unknown): value is ToolOutcome {
  return (
    typeof value === 'object' &&
    value !== null &&
    'text' in value &&
    typeof value.text === 'string' &&
    'isError' in value &&
    typeof value.isError === 'boolean'
  );
}

/** Keeps what calls used. With a retention of 0 days it stays in memory, because nothing of a call is to remain. */
export function createUsageLedger(
  { stateDirectory: directory, sessionRetentionDays }: Configuration,
  onProblem: (sentence: string) => void,
): UsageLedger {
  return sessionRetentionDays === 0 ? new InMemoryUsageLedger() : new FileUsageLedger({ directory, onProblem });
}

/** Keeps who called which tool, and what it did; null unless the operator wants that. */
export function createAuditLog(
  { stateDirectory: directory, audit, auditRetentionDays: retentionDays }: Configuration,
  onProblem: (sentence: string) => void,
): AuditLog | null {
  return audit === 'off' ? null : new FileAuditLog({ directory, retentionDays, onProblem });
}

/** Stores the permanent approvals of this machine's user. */
export function createApprovalStore(records: RecordStore, onProblem: (sentence: string) => void): ApprovalStore {
  return new ApprovalRecords({ records, sha256: digestOf, onProblem });
}
