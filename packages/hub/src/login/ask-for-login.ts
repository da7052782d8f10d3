import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';

/** What a server answers to one without a login. */
export type FirstAnswer = {
  readonly status: number;
  /** What it says of the login that it wants; empty where it says nothing. */
  readonly challenge: string;
};

const timeLimitMs = 30_000;
const maxChallengeCharacters = 2_000;

const greeting = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'gemini-mcp-server', version: '1' },
  },
});

/** Asks a server as one without a login does, and reads nothing of its answer but the head. Rejects as `fetch` does. */
export async function askForLogin(
  {
    url,
    type,
    fetch,
    clock,
  }: { readonly url: string; readonly type: string; readonly fetch: typeof globalThis.fetch; readonly clock: Clock },
  signal: AbortSignal,
): Promise<FirstAnswer> {
  const late = new AbortController();
  const over = new AbortController();
  void hasSlept(clock, timeLimitMs, over.signal).then((isOver) => isOver && late.abort());
  const asked: RequestInit =
    type === 'sse'
      ? { headers: { accept: 'text/event-stream' } }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: greeting,
        };
  try {
    const response = await fetch(url, { ...asked, redirect: 'manual', signal: AbortSignal.any([signal, late.signal]) });
    await response.body?.cancel().catch(() => undefined);
    const challenge = response.headers.get('www-authenticate') ?? '';
    return { status: response.status, challenge: challenge.slice(0, maxChallengeCharacters) };
  } finally {
    over.abort();
  }
}
