import { FakeClock } from '@gemini-mcp/core/testing';
import type { McpLogEntry } from '../../../../handlers/mcp-log.ts';
import { createStatelessEndpoint } from '../../../../http.ts';
import type { StatelessEndpoint } from '../../../mcp-http-options.ts';
import { callerNamed, postRequest } from '../../../testing/http-caller.ts';
import { createTestSurface, type TestSurface } from '../../../testing/test-surface.ts';

type StatelessSetUp = TestSurface & {
  readonly endpoint: StatelessEndpoint;
  readonly log: readonly McpLogEntry[];
  readonly post: (body: unknown, headers?: Readonly<Record<string, string | null>>) => Promise<Response>;
};

/** An endpoint without sessions, and alice who posts to it. */
export function setUpStateless(): StatelessSetUp {
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const endpoint = createStatelessEndpoint({
    version: '1.2.3',
    clock: new FakeClock(),
    log: (entry) => log.push(entry),
  });
  const post = (body: unknown, headers = {}): Promise<Response> =>
    endpoint.post(postRequest(headers), body, callerNamed('alice', test.surface));
  return { ...test, endpoint, log, post };
}
