import type { ConnectionFailure, ConnectionState } from '../ports/upstreams/connection-state.ts';

export type ConnectionEvent =
  | { readonly type: 'began'; readonly atMs: number }
  | { readonly type: 'connected'; readonly atMs: number }
  /** It answered a call. */
  | { readonly type: 'served' }
  /** There is no connection, or it was lost, and a request waited for it. */
  | { readonly type: 'failed'; readonly atMs: number; readonly failure: ConnectionFailure }
  /** The connection has ended, and no request waited for an answer. */
  | { readonly type: 'ended' }
  | { readonly type: 'login-wanted'; readonly challenge: string }
  | { readonly type: 'logged-in' };

/** The response to a request for a connection. */
export type ConnectionAdmission =
  | { readonly type: 'connected' }
  | { readonly type: 'connect' }
  /** It has just failed: ask again at that time. */
  | { readonly type: 'wait'; readonly untilMs: number }
  /** The circuit is open, or the user must log in. */
  | { readonly type: 'refuse'; readonly detail: string };

/** The pause after the first failure in a row, the second, and each one after. */
const pausesMs = [1_000, 5_000, 30_000] as const;

/** From this many failures in a row on, the circuit is open: a request is refused at once instead of waiting for the next attempt. */
const openFrom: number = pausesMs.length;

/** The next state of a connection. Events that do not fit the state, such as a late failure of an ended one, change nothing. */
export function nextConnectionState(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'logged-in':
      return state.type === 'awaiting-login' ? { type: 'disconnected', failures: 0 } : state;
    case 'began':
      return canBegin(state) ? { type: 'connecting', sinceMs: event.atMs, failures: failuresOf(state) } : state;
    default:
      return isUp(state) ? nextOfUp(state, event) : state;
  }
}

type Up = Extract<ConnectionState, { readonly type: 'connecting' | 'connected' }>;
type UpEvent = Extract<
  ConnectionEvent,
  { readonly type: 'connected' | 'served' | 'failed' | 'ended' | 'login-wanted' }
>;

function nextOfUp(state: Up, event: UpEvent): ConnectionState {
  const { failures } = state;
  switch (event.type) {
    case 'connected':
      return state.type === 'connecting' ? { type: 'connected', sinceMs: event.atMs, failures } : state;
    case 'served':
      return failures === 0 ? state : { ...state, failures: 0 };
    case 'ended':
      return { type: 'disconnected', failures };
    case 'login-wanted':
      return { type: 'awaiting-login', challenge: event.challenge };
    case 'failed':
      return {
        type: 'failed',
        failure: event.failure,
        failures: failures + 1,
        retryAtMs: event.atMs + pauseAfter(failures + 1),
      };
  }
}

/** Whether a request may have a connection now. */
export function admit(state: ConnectionState, nowMs: number): ConnectionAdmission {
  switch (state.type) {
    case 'awaiting-login':
      return { type: 'refuse', detail: 'It requires a login.' };
    case 'connected':
      return { type: 'connected' };
    case 'disconnected':
    case 'connecting':
      return { type: 'connect' };
    case 'failed':
      return admitFailed(state, nowMs);
  }
}

function admitFailed(state: Extract<ConnectionState, { readonly type: 'failed' }>, nowMs: number): ConnectionAdmission {
  const { failure, failures, retryAtMs } = state;
  if (nowMs >= retryAtMs) {
    return { type: 'connect' };
  }
  if (failures < openFrom) {
    return { type: 'wait', untilMs: retryAtMs };
  }
  const seconds = Math.ceil((retryAtMs - nowMs) / 1_000);
  return {
    type: 'refuse',
    detail: `It failed ${failures} times in a row and is tried again in ${seconds} s. ${failure.detail}`,
  };
}

function pauseAfter(failures: number): number {
  return pausesMs[Math.min(failures, pausesMs.length) - 1] ?? pausesMs[2];
}

function isUp(state: ConnectionState): state is Up {
  return state.type === 'connecting' || state.type === 'connected';
}

function canBegin(state: ConnectionState): boolean {
  return state.type === 'disconnected' || state.type === 'failed';
}

function failuresOf(state: ConnectionState): number {
  return 'failures' in state ? state.failures : 0;
}
