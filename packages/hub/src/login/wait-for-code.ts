import type { Clock } from '@gemini-mcp/core';
import { aborted, beforeAbort, hasSlept, type LoginLink, type LoginRequest } from '@gemini-mcp/core/internal';
import type { OpenedCallback } from './open-callback.ts';
import type { Callback } from './read-callback.ts';

export type WaitForCodeOptions = {
  readonly link: Omit<LoginLink, 'answer'>;
  readonly callback: OpenedCallback;
  readonly request: Pick<LoginRequest, 'onLink' | 'opensBrowser'>;
  readonly clock: Clock;
  readonly openBrowser: (url: string) => Promise<boolean>;
};

export type WaitedFor = Exclude<Callback, { readonly type: 'foreign' }> | { readonly type: 'late' };

const patienceMs = 600_000;

/** Shows the link, and waits for what the user makes of it. Rejects only when it is aborted. */
export async function waitForCode(options: WaitForCodeOptions, signal: AbortSignal): Promise<WaitedFor> {
  const { link, callback, request, clock, openBrowser } = options;
  request.onLink({ ...link, answer: callback.take });
  if (request.opensBrowser) {
    await openBrowser(link.url);
  }
  const over = new AbortController();
  const late = hasSlept(clock, patienceMs, over.signal).then((): WaitedFor => ({ type: 'late' }));
  try {
    const answer = await beforeAbort(Promise.race([callback.answered, late]), signal);
    if (answer === aborted) {
      throw signal.reason;
    }
    return answer;
  } finally {
    over.abort();
  }
}
