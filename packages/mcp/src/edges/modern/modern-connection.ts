import { timeoutIn } from '../../handlers/call-limits.ts';
import { concealError, isRpcError } from '../../handlers/conceal-error.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { errorCodes, RpcError } from '../../input/request-params.ts';
import {
  isRequest,
  isRequestId,
  type RequestId,
  type RpcMessage,
  type RpcNotification,
  refusalOf,
} from '../rpc-message.ts';
import type { EraConnection, StdioLine } from '../stdio/era-connection.ts';
import { createModernServer, type ModernServer, type ModernServerParts } from './create-modern-server.ts';
import { type ModernRequest, readEnvelope } from './envelope.ts';
import { ListenPlaces } from './listen.ts';
import { OpenQuestions } from './open-questions.ts';
import { SuspendedRuns } from './suspended-runs.ts';
import { Tasks } from './tasks/tasks.ts';

type Running = {
  readonly method: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
};

/** Serves the revision 2026-07-28 over the line that the other era shares. `extend` changes the handlers. */
export class ModernConnection implements EraConnection {
  readonly #line: StdioLine;
  readonly #log: McpServerOptions['log'];
  readonly #server: ModernServer;
  readonly #runs: SuspendedRuns;
  readonly #tasks: Tasks | null;
  readonly #running = new Map<RequestId, Running>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: McpServerOptions, line: StdioLine, extend?: ModernServerParts['extend']) {
    const { clock, log, jobs } = options;
    this.#line = line;
    this.#log = log;
    this.#runs = new SuspendedRuns({ clock, questions: new OpenQuestions(options) });
    this.#tasks = jobs === undefined ? null : new Tasks({ jobs, clock });
    this.#server = createModernServer(options, {
      extend,
      runs: this.#runs,
      listens: new ListenPlaces(),
      tasks: this.#tasks,
    });
  }

  get awaitsQuickAnswers(): boolean {
    return [...this.#running.values()].some(({ method }) => !slowMethods.has(method));
  }

  has(id: RequestId): boolean {
    return this.#running.has(id);
  }

  receive(message: RpcMessage): void {
    if (!('method' in message)) {
      return;
    }
    if (!isRequest(message)) {
      this.#cancel(message);
      return;
    }
    const { id, method } = message;
    if (this.#running.has(id)) {
      this.#refuse(
        id,
        new RpcError(errorCodes.invalidRequest, 'Invalid request: a request with this id is being answered'),
      );
      return;
    }
    const controller = new AbortController();
    const ended = this.#answer(message, controller.signal).finally(() => {
      this.#ending.delete(ended);
      if (this.#running.get(id)?.controller === controller) {
        this.#running.delete(id);
      }
    });
    this.#ending.add(ended);
    this.#running.set(id, { method, controller, ended });
  }

  async callsEnded(): Promise<void> {
    await Promise.all([...this.#ending, this.#runs.runsEnded()]);
  }

  end(): void {
    this.#runs.close();
    this.#tasks?.close();
    for (const { controller } of this.#running.values()) {
      controller.abort();
    }
  }

  /** A cancelled request gets no answer, and its id is free at once. */
  #cancel({ method, params }: RpcNotification): void {
    const id = params?.['requestId'];
    if (method === 'notifications/cancelled' && isRequestId(id)) {
      this.#running.get(id)?.controller.abort(timeoutIn(params?.['reason']));
      this.#running.delete(id);
    }
  }

  /** Never rejects. */
  async #answer(request: ModernRequest, signal: AbortSignal): Promise<void> {
    const { id, method, params } = request;
    const send = async (message: object): Promise<void> => {
      if (!signal.aborted) {
        await this.#line.send({ jsonrpc: '2.0', ...message } as RpcMessage);
      }
    };
    try {
      const envelope = readEnvelope(params);
      const result = await this.#server.answer(request, envelope, { signal, send });
      await send({ id, result });
    } catch (error) {
      if (!signal.aborted) {
        this.#refuse(id, this.#rpcErrorOf(error, method));
      }
    }
  }

  #rpcErrorOf(error: unknown, subject: string): RpcError {
    if (isRpcError(error)) {
      return error;
    }
    const text = concealError({ event: 'protocol-error', subject, error }, this.#log);
    return new RpcError(errorCodes.internalError, text);
  }

  #refuse(id: RequestId, error: RpcError): void {
    this.#line.send(refusalOf(id, error)).catch(() => undefined);
  }
}

/** Requests that may take minutes. The end of input ends them. */
const slowMethods: ReadonlySet<string> = new Set(['tools/call', 'subscriptions/listen']);
