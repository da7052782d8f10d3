import type { JsonRecord } from '@gemini-mcp/port-contracts/offline-api';

export type OutputStream = 'stdout' | 'stderr';

/** How a leaked key is written: unchanged, in two writes with a pause between, or in an encoding. */
export type SecretForm = 'plain' | 'split' | 'base64' | 'url' | 'json';

/** Token counts for a result event instead of the estimate of one token for four characters. */
export type ResultUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/**
 * One action of the fake CLI. Steps run one after another; after the last one it exits with 0. Files named by a step are in the directory
 * of the fake CLI.
 */
export type CliStep =
  /** Reads stdin to its end. */
  | { readonly do: 'read-stdin' }
  /** Closes stdin without reading it: the writer gets EPIPE. A later step that needs stdin finds it empty. */
  | { readonly do: 'close-stdin' }
  /** Lists the tools of the run, as the real CLI does first, and writes the first event of `stream-json`, with the model of `--model`. */
  | { readonly do: 'init' }
  /** The user's message event, with the whole stdin as the real CLI repeats it. */
  | { readonly do: 'user-echo' }
  /** One assistant event for each chunk, `intervalMs` apart. */
  | { readonly do: 'text'; readonly chunks: readonly string[]; readonly intervalMs?: number }
  /** Any other event; a timestamp is added. */
  | { readonly do: 'event'; readonly event: JsonRecord }
  /** The last event: an error with `message`, or without one a bare error, as the real CLI ends a blocked answer. */
  | {
      readonly do: 'result';
      readonly status: 'success' | 'error';
      readonly error?: { readonly type: string; readonly message: string };
      readonly usage?: ResultUsage;
    }
  | { readonly do: 'write'; readonly to: OutputStream; readonly text: string }
  /** Arbitrary bytes, given in base64. */
  | { readonly do: 'write-bytes'; readonly to: OutputStream; readonly base64: string }
  /** Bytes that look random and are the same for the same `seed`. */
  | { readonly do: 'random'; readonly to: OutputStream; readonly bytes: number; readonly seed?: string }
  /** Repeats `pattern` as fast as the reader takes it, until it has written `bytes`. */
  | { readonly do: 'flood'; readonly to: OutputStream; readonly bytes: number; readonly pattern: string }
  /** The UTF-8 bytes of `text` one at a time, `intervalMs` apart: characters arrive in pieces. Repeats for ever on request. */
  | {
      readonly do: 'drip';
      readonly to: OutputStream;
      readonly text: string;
      readonly intervalMs: number;
      readonly isEndless?: boolean;
    }
  /** Writes the API key from the environment, once in each form, and then the whole stdin. */
  | { readonly do: 'leak'; readonly to: OutputStream; readonly forms: readonly SecretForm[] }
  /** Without this step SIGTERM, SIGINT and SIGHUP end the fake CLI with exit code 0, as they do the real one. */
  | { readonly do: 'ignore-signals' }
  /** A child that sleeps for five minutes. `isDetached`: in a session of its own. `holdsOutput`: with our stdout and stderr open. */
  | {
      readonly do: 'spawn';
      readonly isDetached?: boolean;
      readonly ignoresSignals?: boolean;
      readonly holdsOutput?: boolean;
    }
  /** Creates a file, for `whenFileExists`. */
  | { readonly do: 'touch'; readonly file: string }
  /** Waits until a file exists. */
  | { readonly do: 'await-file'; readonly file: string }
  | { readonly do: 'wait'; readonly durationMs: number }
  | { readonly do: 'hang' }
  | { readonly do: 'exit'; readonly code: number }
  | { readonly do: 'kill-self'; readonly signal: 'SIGSEGV' | 'SIGKILL' | 'SIGABRT' | 'SIGTERM' }
  /** Other steps for other models, by the exact value of `--model`. */
  | {
      readonly do: 'by-model';
      readonly models: Readonly<Record<string, readonly CliStep[]>>;
      readonly otherwise: readonly CliStep[];
    };

/** The script of a fake CLI, run by run. */
export type FakeCliScenario = {
  /** Steps of the first run, of the second, and so on; the last entry applies to all further runs. */
  readonly runs: readonly [readonly CliStep[], ...(readonly CliStep[])[]];
  /** Steps of `--version`; by default it prints `0.61.0`. Does not count as a run. */
  readonly version?: readonly CliStep[];
};
