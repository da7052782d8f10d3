import { AnswerRecords, SessionRecords } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { createResources } from '../create-surface.ts';
import type { ResourceProvider } from '../surface/resource-provider.ts';

const signal = new AbortController().signal;

export type CanaryShelves = {
  readonly providers: readonly ResourceProvider[];
  readonly id: string;
  readonly handle: string;
};

/** Resources with one conversation and one answer of the client alice, both saying CANARY. */
export async function createCanaryShelves(): Promise<CanaryShelves> {
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const owner = 'owner of alice';
  const sessions = new SessionRecords();
  const answers = new AnswerRecords({ clock: new FakeClock(), createHandle: () => 'handle1' });
  const turns = [{ role: 'user', text: 'CANARY', atMs: 0 }] as const;
  const times = { createdAtMs: 0, updatedAtMs: 0 };
  await sessions.save(
    { id, owner, model: null, workingDirectory: null, systemPrompt: null, turns, ...times },
    0,
    signal,
  );
  await answers.save({ owner, title: 'CANARY', text: 'CANARY' }, signal);
  const providers = createResources({
    sessions,
    answers,
    models: [],
    reportHealth: () => [],
    now: () => 0,
    tools: [],
    prompts: [],
    workingDirectory: null,
  });
  return { providers, id, handle: 'handle1' };
}
