import type { Clock } from '@gemini-mcp/core';

/** Proxies and clients give up on a connection that is silent for 30 s or 60 s. */
const aliveMs = 5_000;

/** What is told of a call, a line of JSON each. */
export type CallLine =
  | { readonly type: 'started'; readonly tool: string }
  | { readonly type: 'running'; readonly durationMs: number }
  | ({ readonly type: 'result' } & Readonly<Record<string, unknown>>);

export type LineStreamOptions = {
  readonly clock: Clock;
  readonly tool: string;
  /** Resolves to the last line. Never rejects. `signal` is aborted when the reader has gone. */
  readonly work: (signal: AbortSignal) => Promise<CallLine>;
};

/** Lines for one reader: that the call has begun, every five seconds that it goes on, and at last what came of it. */
export function streamLines({ clock, tool, work }: LineStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const ended = new AbortController();
  const startedAtMs = clock.now();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const tell = (line: CallLine): void => {
        if (!gone.signal.aborted) {
          controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        }
      };
      tell({ type: 'started', tool });
      void tellAlive(
        { clock, tell: () => tell({ type: 'running', durationMs: clock.now() - startedAtMs }) },
        ended.signal,
      );
      void work(gone.signal).then((last) => {
        ended.abort();
        tell(last);
        if (!gone.signal.aborted) {
          controller.close();
        }
      });
    },
    cancel: () => {
      ended.abort();
      gone.abort();
    },
  });
}

async function tellAlive(
  { clock, tell }: { readonly clock: Clock; readonly tell: () => void },
  signal: AbortSignal,
): Promise<void> {
  const sleep = (): Promise<boolean> =>
    clock.sleep(aliveMs, signal).then(
      () => !signal.aborted,
      () => false,
    );
  while (await sleep()) {
    tell();
  }
}
