import {
  type ConnectionFailure,
  escapeControls,
  quoteStrangers,
  type ServerProcesses,
  type ServerProgram,
} from '@gemini-mcp/core/internal';
import { describeTooLong } from './describe-too-long.ts';
import { GuardedTransport } from './guarded-transport.ts';
import type { Sdk } from './load-sdk.ts';
import { ProcessTransport } from './process-transport.ts';
import type { SendFault } from './server-connection.ts';

/** What a client speaks through, and how its faults are read. */
export type OpenedTransport = {
  readonly transport: GuardedTransport;
  readonly whyOver: () => Promise<ConnectionFailure>;
  /** The first that the server wrote where only messages belong; null where it wrote nothing of the kind. */
  readonly strayWords: () => string | null;
  readonly readFault: (error: unknown) => SendFault;
  /** Says goodbye where the connection is not lost and the protocol has a word for it, and leaves nothing. */
  readonly end: (isLost: boolean) => Promise<void>;
};

export type TransportOpening =
  | { readonly type: 'opened'; readonly opened: OpenedTransport }
  | { readonly type: 'failed'; readonly failure: ConnectionFailure };

export type OpenStdioOptions = {
  readonly program: ServerProgram;
  readonly processes: ServerProcesses;
  readonly sdk: Sdk;
  readonly maxMessageBytes: number;
};

const maxErrorCharacters = 1_000;

/** Starts the process of a server. Never rejects. */
export async function openStdio(options: OpenStdioOptions, signal: AbortSignal): Promise<TransportOpening> {
  const { program, processes, sdk, maxMessageBytes } = options;
  const start = await processes.start(program, signal);
  if (!start.started) {
    return { type: 'failed', failure: { kind: 'not-started', detail: start.detail } };
  }
  const { process } = start;
  let isFlooding = false;
  const inner = new ProcessTransport({
    process,
    maxMessageBytes,
    parseMessage: sdk.parseMessage,
    onOverlong: (answerTo) => dropAnswer(transport, answerTo, maxMessageBytes),
    onUnreadable: (answerTo) => transport.failRequest(answerTo, 'Its answer is no message of MCP.'),
    onGarbage: () => {
      isFlooding = true;
      void inner.close();
    },
  });
  const transport = new GuardedTransport(inner);
  const whyOver = async (): Promise<ConnectionFailure> => {
    const { detail, errorText } = await process.ended;
    return isFlooding
      ? { kind: 'flooding', detail: 'It wrote megabytes to its standard output that are no messages of MCP.' }
      : { kind: 'ended', detail: describeEnd(detail, errorText) };
  };
  return {
    type: 'opened',
    opened: {
      transport,
      whyOver,
      strayWords: () => inner.strayWords,
      readFault: faultOfPipe,
      end: () => transport.close(),
    },
  };
}

function dropAnswer(transport: GuardedTransport, answerTo: number | null, maxBytes: number): void {
  const id = answerTo !== null && transport.isWaiting(answerTo) ? answerTo : transport.onlyWaiting;
  if (id !== null) {
    transport.failRequest(id, describeTooLong(maxBytes));
  }
}

/** Of a terminal, which say nothing here. */
const colours = /\p{Cc}\[[\d;]*m/gu;

function describeEnd(detail: string, errorText: string): string {
  const said = errorText.replace(colours, '').trim().slice(-maxErrorCharacters);
  const end = `Its process is over: ${escapeControls(detail)}.`;
  return said === '' ? end : `${end} Its last lines on stderr:\n${quoteStrangers(said)}`;
}

/** Writing to a pipe does not fail: the end of the process tells. */
function faultOfPipe(error: unknown): SendFault {
  const said = error instanceof Error ? error.message : String(error);
  return { type: 'error', kind: 'refused', sentence: '', said: said.replace(/^MCP error -?\d+: /, '') };
}
