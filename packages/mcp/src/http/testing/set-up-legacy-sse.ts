import { FakeClock } from '@gemini-mcp/core/testing';
import type { McpLogEntry } from '../../mcp-log.ts';
import { createLegacySseEndpoint } from '../create-legacy-sse-endpoint.ts';
import type { LegacySseEndpoint } from '../legacy-sse-endpoint.ts';
import { callerNamed, getRequest, type TestCaller } from './http-caller.ts';
import { postTo } from './post-to.ts';
import { createTestSurface, type TestSurface } from './test-surface.ts';

const idleMs = 600_000;

/** A client with its stream open. */
type Opened = {
  readonly caller: TestCaller;
  readonly response: Response;
  readonly path: string;
  /** The data of the next event, or null after the last. */
  readonly next: () => Promise<unknown>;
  readonly post: (body: unknown, binding?: string) => Promise<Response>;
};

type LegacySseSetUp = TestSurface & {
  readonly endpoint: LegacySseEndpoint;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  /** After so long a stream is idle. */
  readonly idleMs: number;
  readonly open: (binding?: string) => Promise<Opened>;
};

/** An endpoint without streams, and what opens them. */
export function setUpLegacySse(maxSessions = 10): LegacySseSetUp {
  const clock = new FakeClock();
  const log: McpLogEntry[] = [];
  const test = createTestSurface();
  const endpoint = createLegacySseEndpoint({
    version: '1.2.3',
    clock,
    log: (entry) => log.push(entry),
    maxSessions,
    idleMs,
  });
  const open = async (binding = 'alice'): Promise<Opened> => {
    const caller = callerNamed(binding, test.surface);
    const response = await endpoint.get(getRequest(), caller);
    const events = readEvents(response);
    const path = String(await events.next());
    return {
      caller,
      response,
      path,
      next: async () => {
        const data = await events.next();
        return data === null ? null : JSON.parse(data);
      },
      post: (body, sender = binding) => endpoint.post(postTo(path), body, callerNamed(sender, test.surface)),
    };
  };
  return { ...test, endpoint, clock, log, idleMs, open };
}

/** Reads the data of each event as it comes; null after the last. */
export function readEvents({ body }: Response): {
  readonly next: () => Promise<string | null>;
  readonly cancel: () => Promise<void>;
} {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    cancel: async () => reader?.cancel(),
    next: async () => {
      while (!text.includes('\n\n')) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) {
          return null;
        }
        text += value;
      }
      const event = text.slice(0, text.indexOf('\n\n'));
      text = text.slice(event.length + 2);
      return /^data: (.*)$/m.exec(event)?.[1] ?? `"${event}"`;
    },
  };
}
