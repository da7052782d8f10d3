import { randomBytes } from 'node:crypto';
import { FileAnswerStore, FileSessionStore } from '@gemini-mcp/adapters-node';
import { type AnswerStore, type Clock, InMemorySessionStore, type SessionStore } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';
import type { Observers } from './observers.ts';

export type StoreParts = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  readonly observers: Pick<Observers, 'onQuarantine'>;
};

const dayMs = 86_400_000;

/** A fresh, unpredictable handle of an answer or a job. */
export function createHandle(): string {
  return randomBytes(12).toString('hex');
}

/** Conversations on the disk, or in memory where none is to be kept beyond the process. */
export function createSessionStore({ configuration, clock, observers }: StoreParts): SessionStore {
  const { stateDirectory: directory, sessionRetentionDays } = configuration;
  if (sessionRetentionDays === 0) {
    return new InMemorySessionStore();
  }
  const retentionMs = sessionRetentionDays === Number.POSITIVE_INFINITY ? null : sessionRetentionDays * dayMs;
  return new FileSessionStore({ directory, clock, retentionMs, onQuarantine: observers.onQuarantine });
}

/** Long answers on the disk. */
export function createAnswerStore({ configuration, clock, observers }: StoreParts): AnswerStore {
  const { stateDirectory: directory } = configuration;
  return new FileAnswerStore({ directory, clock, createHandle, onQuarantine: observers.onQuarantine });
}
