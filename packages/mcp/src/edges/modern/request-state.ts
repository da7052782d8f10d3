import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../../input/request-params.ts';

/** An answer that a run has got already, by the digest of its question. */
export type KnownAnswer = readonly [digest: string, answer: unknown];

/** The place in a run at which its client is asked. It travels through the client, so it holds no secret. */
export type RequestState = {
  readonly runId: string;
  readonly questionId: string;
  readonly expiresAtMs: number;
  /** The answers to earlier questions, with which another process can begin the run again. */
  readonly answers: readonly KnownAnswer[];
};

/** Ties a state to its caller and its call: it is worth nothing with another token or other arguments. */
export type StateBinding = { readonly owner: string; readonly call: string };

const maxCharacters = 64 * 1024;

/** Signs a state as `payload.mac`, both in Base64url. Leaves out earlier answers that are too long: another process asks them again. */
export function signState(state: RequestState, binding: StateBinding, key: Uint8Array): string {
  const whole = Buffer.from(JSON.stringify(state));
  const isLong = whole.length > maxCharacters / 2;
  const kept = isLong ? Buffer.from(JSON.stringify({ ...state, answers: state.answers.slice(-1) })) : whole;
  const payload = kept.toString('base64url');
  return `${payload}.${macOf(payload, binding, key).toString('base64url')}`;
}

/** Null for a state that this key has not signed for this caller and this call, and for an expired one. */
export function readState(
  text: unknown,
  binding: StateBinding,
  parts: { key: Uint8Array; nowMs: number },
): RequestState | null {
  if (typeof text !== 'string' || text.length > maxCharacters) {
    return null;
  }
  const [payload = '', mac = '', ...rest] = text.split('.');
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(payload, binding, parts.key);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return null;
  }
  const state: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return isState(state) && state.expiresAtMs > parts.nowMs ? state : null;
}

function macOf(payload: string, { owner, call }: StateBinding, key: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([owner, call, payload]))
    .digest();
}

/** The key may have signed a state of an earlier version of this server. */
function isState(state: unknown): state is RequestState {
  return (
    isJsonObject(state) &&
    typeof state['runId'] === 'string' &&
    typeof state['questionId'] === 'string' &&
    typeof state['expiresAtMs'] === 'number' &&
    Array.isArray(state['answers']) &&
    state['answers'].every((answer) => Array.isArray(answer) && typeof answer[0] === 'string')
  );
}
