import type { RequestId, RpcMessage } from '../rpc-message.ts';

/** One side of a pair of streams, shared by both eras of the protocol. */
export type StdioLine = {
  /** Resolves once the output has room for more. Rejects if the connection is closed. */
  readonly send: (message: RpcMessage) => Promise<void>;
  readonly onerror: (error: Error) => void;
  readonly close: () => void;
};

/** Serves the requests of one era. */
export type EraConnection = {
  /** Whether a request other than a tool call waits: those are answered within moments. */
  readonly awaitsQuickAnswers: boolean;
  /** Whether a request with this id is being answered. */
  has(id: RequestId): boolean;
  receive(message: RpcMessage): void;
  /** Resolves when every running call has ended, including cancelled ones. Never rejects. */
  callsEnded(): Promise<void>;
  /** Aborts what runs: the line is closed. */
  end(): void;
};
