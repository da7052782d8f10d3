import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import * as z from 'zod';
import type { SpawnOptions } from './bridged-session.ts';

/** One process that serves the requests of all clients, which revisions without sessions allow. */
export type SharedProcess = {
  /** Sends a message to the process, and its answer and notifications to the response. */
  forward(body: unknown, response: ServerResponse): void;
  close(): Promise<void>;
};

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';

const partSchema = z.looseObject({ _meta: z.looseObject({}).optional() });

const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  params: partSchema.optional(),
  result: partSchema.optional(),
  error: z.looseObject({ code: z.number() }).optional(),
});

type Message = z.infer<typeof messageSchema>;

/** A request without its answer. */
type OpenRequest = {
  readonly response: ServerResponse;
  readonly id: unknown;
  readonly progressToken: unknown;
};

/** The statuses of HTTP for errors that the process answers without one. */
const statuses: Readonly<Record<number, number>> = { [-32_601]: 404, [-32_020]: 400, [-32_021]: 400, [-32_022]: 400 };

/** Starts the process. Clients may use the same ids and progress tokens: the process gets numbers of ours for both. */
export function startSharedProcess({ command, args, env }: SpawnOptions): SharedProcess {
  const child = execa(command, args, { env, extendEnv: false, stderr: 'ignore', buffer: false, reject: false });
  const requests = new Map<number, OpenRequest>();
  let count = 0;
  const send = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on('line', (line) =>
    passOn(messageSchema.parse(JSON.parse(line)), requests),
  );
  return {
    forward: (body, response) => {
      const { data: message } = messageSchema.safeParse(body);
      if (message?.method === undefined || message.id === undefined || message.id === null) {
        send(body);
        response.writeHead(202).end();
        return;
      }
      count += 1;
      const number = count;
      requests.set(number, { response, id: message.id, progressToken: message.params?._meta?.['progressToken'] });
      send(renumber(message, number));
      response.once('close', () => {
        if (requests.delete(number)) {
          send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: number } });
        }
      });
    },
    close: async () => {
      child.stdin.end();
      await child;
    },
  };
}

function renumber(message: Message, number: number): Message {
  const meta = message.params?._meta;
  return meta?.['progressToken'] === undefined
    ? { ...message, id: number }
    : { ...message, id: number, params: { ...message.params, _meta: { ...meta, progressToken: number } } };
}

/** Passes a message of the process on to the client whose request it belongs to: stdio has one stream for all. */
function passOn(message: Message, requests: Map<number, OpenRequest>): void {
  const number = numberOf(message, requests);
  const request = number === undefined ? undefined : requests.get(number);
  if (number === undefined || request === undefined) {
    return;
  }
  const { response } = request;
  const restored = JSON.stringify(restore(message, request));
  if (message.method === undefined) {
    requests.delete(number);
  } else if (!response.headersSent) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  }
  if (!response.headersSent) {
    response.writeHead(statuses[message.error?.code ?? 0] ?? 200, { 'Content-Type': 'application/json' });
    response.end(restored);
  } else if (message.method === undefined) {
    response.end(`data: ${restored}\n\n`);
  } else {
    response.write(`data: ${restored}\n\n`);
  }
}

function numberOf({ id, method, params }: Message, requests: ReadonlyMap<number, OpenRequest>): number | undefined {
  const named = method === undefined ? id : (params?.['progressToken'] ?? params?._meta?.[subscriptionKey]);
  return typeof named === 'number' ? named : [...requests.keys()].at(-1);
}

/** The message with the client's own id and progress token. */
function restore(message: Message, { id, progressToken }: OpenRequest): unknown {
  const { params, result } = message;
  if (message.method === undefined) {
    return { ...message, id, ...(result !== undefined && { result: withSubscription(result, id) }) };
  }
  const token = params?.['progressToken'] === undefined ? {} : { progressToken };
  return { ...message, params: { ...withSubscription(params ?? {}, id), ...token } };
}

function withSubscription<T extends { readonly _meta?: Record<string, unknown> | undefined }>(part: T, id: unknown): T {
  return part._meta?.[subscriptionKey] === undefined
    ? part
    : { ...part, _meta: { ...part._meta, [subscriptionKey]: id } };
}
