import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { type HttpRefusal, refuse } from '../refusal.ts';

export type ReadBodyOptions = {
  /** Of one body. */
  readonly maxBytes: number;
  /** Of all bodies that are being read at one time; half of it for one principal. Default: 64 MiB, or four bodies if more. */
  readonly maxBytesAtOnce?: number;
  readonly clock: Clock;
};

const mebibyte = 1_048_576;

/**
 * Reads the body of a request as JSON into `body`; later routes find no body left to read. Refuses a body unread if its headers do
 * not declare JSON, and as soon as its size exceeds the limit; the connection is then closed.
 */
export function readBoundedBody({ maxBytes, maxBytesAtOnce, clock }: ReadBodyOptions): MiddlewareHandler<HttpEnv> {
  const maxTotal = maxBytesAtOnce ?? Math.max(64 * mebibyte, 4 * maxBytes);
  const budget = new BodyBudget({ maxBytes: maxTotal, maxBytesOfOwner: Math.ceil(maxTotal / 2) });
  return async (context, next) => {
    const { incoming } = context.env;
    const refusal = refuseContent(incoming);
    if (refusal !== null) {
      return refuse(context, refusal);
    }
    const allowance = budget.open(context.get('principal').owner);
    try {
      const received = await receive(context, { maxBytes, take: allowance.take });
      if (received.type !== 'whole') {
        return refuseAndClose(context, unread(received.type, maxBytes), clock);
      }
      const parsed = parseBody(received.bytes);
      if (!parsed.ok) {
        return refuse(context, parsed.refusal);
      }
      context.set('body', parsed.value);
    } finally {
      allowance.release();
    }
    return next();
  };
}

type Bounds = {
  readonly maxBytes: number;
  readonly take: (bytes: number) => boolean;
};

function receive({ env }: Context<HttpEnv>, bounds: Bounds): Promise<ReceivedBody> {
  const { incoming, outgoing } = env;
  if (waitsForLeave(incoming) && Number(incoming.headers['content-length'] ?? 0) <= bounds.maxBytes) {
    outgoing.writeContinue();
  }
  return receiveBody({ incoming, ...bounds });
}

/** Compares like Node, which for this header leaves the `100 Continue` response to this server. */
function waitsForLeave({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}

function unread(reason: Exclude<ReceivedBody['type'], 'whole'>, maxBytes: number): HttpRefusal {
  switch (reason) {
    case 'too-large':
      return { status: 413, code: 'body-too-large', message: `The body is larger than ${maxBytes} bytes.` };
    case 'no-room':
      return {
        status: 503,
        code: 'too-many-bodies',
        message: 'Too many large requests are arriving at once. Try again in a moment.',
        headers: { 'Retry-After': '1' },
      };
    case 'incomplete':
      return { status: 400, code: 'incomplete-body', message: 'The connection ended before the body did.' };
  }
}

/** How much of all bodies together may be in memory at one time, and of those of one owner. */
type BodyBudgetOptions = {
  readonly maxBytes: number;
  readonly maxBytesOfOwner: number;
};

/** One body's share of a budget. */
export type BodyAllowance = {
  /** Reserves more bytes. Returns false if the budget is exhausted. */
  take(bytes: number): boolean;
  /** Releases all reserved bytes. */
  release(): void;
};

/**
 * Counts the bytes of bodies that are being read, so that many senders together, or one with all its requests, cannot fill the memory
 * (read-body-bounds.test.ts). Node bounds no bodies.
 */
export class BodyBudget {
  readonly #options: BodyBudgetOptions;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(options: BodyBudgetOptions) {
    this.#options = options;
  }

  /** In use now. */
  get takenBytes(): number {
    return this.#taken;
  }

  open(owner: string): BodyAllowance {
    let held = 0;
    return {
      take: (bytes) => {
        const isTaken = this.#take(owner, bytes);
        held += isTaken ? bytes : 0;
        return isTaken;
      },
      release: () => {
        this.#giveBack(owner, held);
        held = 0;
      },
    };
  }

  #take(owner: string, bytes: number): boolean {
    const ofOwner = (this.#takenBy.get(owner) ?? 0) + bytes;
    const { maxBytes, maxBytesOfOwner } = this.#options;
    if (this.#taken + bytes > maxBytes || ofOwner > maxBytesOfOwner) {
      return false;
    }
    this.#taken += bytes;
    this.#takenBy.set(owner, ofOwner);
    return true;
  }

  #giveBack(owner: string, bytes: number): void {
    const left = (this.#takenBy.get(owner) ?? 0) - bytes;
    this.#taken -= bytes;
    if (left > 0) {
      this.#takenBy.set(owner, left);
    } else {
      this.#takenBy.delete(owner);
    }
  }
}

/** Far beyond what any request needs, and far below what overflows a stack. */
const maxDepth = 256;

/** JSON-RPC: parse error. */
const parseErrorCode = -32_700;

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);

/** By byte: the change of depth. */
const steps = Int8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return Number('[{'.includes(character)) - Number('}]'.includes(character));
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: HttpRefusal };

/** Reads bytes as JSON in UTF-8. The last of equal keys counts; `__proto__` is a key like any other. */
export function parseBody(bytes: Uint8Array): ParsedBody {
  if (isDeeperThan(bytes, maxDepth)) {
    return refuseAs(`The body is nested more than ${maxDepth} levels deep.`);
  }
  const text = decode(bytes);
  if (text === null) {
    return refuseAs('The body is not valid UTF-8.');
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // Node's message quotes the body.
    return refuseAs('The body is not valid JSON.');
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function refuseAs(message: string): ParsedBody {
  return { ok: false, refusal: { status: 400, code: 'malformed-body', message, rpcCode: parseErrorCode } };
}

/** Exact for JSON. In the bytes, because a walk through a million small values takes longer than to read them. */
function isDeeperThan(bytes: Uint8Array, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = endOfText(bytes, at + 1);
    } else {
      depth += steps[byte] ?? 0;
    }
    if (depth > levels) {
      return true;
    }
  }
  return false;
}

/** The index of the quote that ends the text; the end of the bytes if it is missing. */
function endOfText(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(quote, start);
  while (end !== -1 && isEscaped(bytes, end)) {
    end = bytes.indexOf(quote, end + 1);
  }
  return end === -1 ? bytes.length : end;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}

type ReceiveBodyOptions = {
  readonly incoming: IncomingMessage;
  readonly maxBytes: number;
  /** Called for each piece before it is kept. */
  readonly take: (bytes: number) => boolean;
};

type ReceivedBody =
  | { readonly type: 'whole'; readonly bytes: Buffer }
  /** Over `maxBytes`. Nothing of it is kept, and reading stops. */
  | { readonly type: 'too-large' }
  /** `take` has refused a piece of it. Nothing of it is kept, and reading stops. */
  | { readonly type: 'no-room' }
  /** The connection ended before the body did. */
  | { readonly type: 'incomplete' };

/** Reads a request's body into memory, up to the limits. Never rejects. */
function receiveBody({ incoming, maxBytes, take }: ReceiveBodyOptions): Promise<ReceivedBody> {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > maxBytes) {
    return Promise.resolve({ type: 'too-large' });
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (received: ReceivedBody): void => {
      incoming.off('data', keep).off('end', finish).off('error', breakOff).off('close', breakOff).pause();
      resolve(received);
    };
    const keep = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > maxBytes) {
        settle({ type: 'too-large' });
      } else if (take(piece.length)) {
        pieces.push(piece);
      } else {
        settle({ type: 'no-room' });
      }
    };
    const finish = (): void => settle({ type: 'whole', bytes: Buffer.concat(pieces) });
    const breakOff = (): void => settle({ type: 'incomplete' });
    incoming.on('data', keep).once('end', finish).once('error', breakOff).once('close', breakOff);
    if (incoming.closed) {
      breakOff();
    }
  });
}

/** How long a sender may continue after its body is refused. */
const lingerMs = 500;

/**
 * Refuses a request whose body has not been read, and closes the connection. The answer is sent completely at once, but the
 * connection stays open a moment longer, and further bytes are discarded: an immediate close would reset it, and many
 * senders would see that instead of the answer (HTTP-09).
 */
async function refuseAndClose(context: Context<HttpEnv>, refusal: HttpRefusal, clock: Clock): Promise<Response> {
  const { headers, status, body } = refuse(context, refusal);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  headers.set('Connection', 'close');
  headers.set('Content-Length', String(bytes.length));
  const lingering = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes);
      await discardRest(context.env.incoming, clock);
      controller.close();
    },
  });
  return new Response(lingering, { status, headers });
}

async function discardRest(incoming: IncomingMessage, clock: Clock): Promise<void> {
  const ended = incoming.complete ? Promise.resolve() : once(incoming, 'close');
  incoming.on('error', () => undefined).resume();
  const event = ended.catch(() => undefined);
  await raceTimeout({ event, durationMs: lingerMs, clock }, new AbortController().signal);
}

/** Of the whole header, including parameters. Any web page may send a form or plain text without a preflight. */
const json = /^application\/json[ \t]*(?:;|$)/i;

/** The refusal that the headers alone require; null to read the body. */
function refuseContent({ headersDistinct }: IncomingMessage): HttpRefusal | null {
  const types = headersDistinct['content-type'] ?? [];
  if (types.length !== 1 || !types.every((type) => json.test(type.trim()))) {
    return {
      status: 415,
      code: 'unsupported-media-type',
      message: 'The body must be JSON: send `Content-Type: application/json`.',
    };
  }
  const encodings = headersDistinct['content-encoding'] ?? [];
  if (encodings.some((encoding) => encoding.trim().toLowerCase() !== 'identity')) {
    return {
      status: 415,
      code: 'unsupported-content-encoding',
      message: 'The body must not be encoded: Content-Encoding is not supported.',
      headers: { 'Accept-Encoding': 'identity' },
    };
  }
  return null;
}
