import type { Refusal } from '../refusal.ts';

/** Far beyond what any request needs, and far below what overflows a stack. */
const maxDepth = 256;

/** Of JSON-RPC: what came is no JSON. */
const parseErrorCode = -32_700;

const utf8 = new TextDecoder('utf-8', { fatal: true });

export type ParsedBody =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

/** Reads bytes as JSON in UTF-8. Of keys that are there twice the last one counts; `__proto__` is a key like any other. */
export function parseBody(bytes: Uint8Array): ParsedBody {
  const text = decode(bytes);
  if (text === null) {
    return refuseAs('The body is not valid UTF-8.');
  }
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value, maxDepth)
      ? refuseAs(`The body is nested more than ${maxDepth} levels deep.`)
      : { ok: true, value };
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

/** Level by level: to look into each value by a call of its own would need the stack that this spares others. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level: readonly object[] = isNested(value) ? [value] : [];
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    level = level.flatMap((each) => Object.values(each).filter(isNested));
  }
  return level.length > 0;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
