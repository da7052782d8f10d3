import { FakeClock } from '@gemini-mcp/core/testing';
import type { McpLogEntry } from '../../../../handlers/mcp-log.ts';
import { createSessionEndpoint } from '../../../../http.ts';
import type { SessionEndpoint } from '../../../mcp-http-options.ts';
import { callerNamed, initialize, postRequest } from '../../../testing/http-caller.ts';
import { createTestSurface, type TestSurface } from '../../../testing/test-surface.ts';
import { SessionClient } from './session-client.ts';

const idleMs = 600_000;

type SessionSetUp = TestSurface & {
  readonly endpoint: SessionEndpoint;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  /** After so long a session is idle. */
  readonly idleMs: number;
  readonly begin: (binding?: string) => Promise<SessionClient>;
  readonly tryToBegin: (binding: string) => Promise<Response>;
};

/** An endpoint without sessions, and what begins them. */
export function setUpSessions(maxSessions = 10): SessionSetUp {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const { surface } = test;
  const endpoint = createSessionEndpoint({
    version: '1.2.3',
    clock,
    log: (entry) => log.push(entry),
    maxSessions,
    idleMs,
  });
  return {
    ...test,
    endpoint,
    clock,
    log,
    idleMs,
    begin: (binding = 'alice') => SessionClient.begin({ endpoint, surface, binding }),
    tryToBegin: (binding) => endpoint.post(postRequest(), initialize, callerNamed(binding, surface)),
  };
}
