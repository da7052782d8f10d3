import type { Refusal } from '../refusal.ts';

/** Far beyond what any request needs, and far below what overflows a stack. */
const maxDepth = 256;

/** Of JSON-RPC: what came is no JSON. */
const parseErrorCode = -32_700;

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);

/** By byte: how much deeper it leads. */
const steps = Int8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return Number('[{'.includes(character)) - Number('}]'.includes(character));
});

const utf8 = new TextDecoder('utf-8', { fatal: true });

export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** Reads bytes as JSON in UTF-8. Of keys that are there twice the last one counts; `__proto__` is a key like any other. */
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
    // What Node says of it quotes the body.
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

/** Where the quote is that ends the text which begins there; the end of the bytes where none does. */
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
