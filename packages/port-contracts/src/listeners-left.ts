import { getEventListeners } from 'node:events';

/** How many listeners for an abort a signal still has. */
export function listenersLeft(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}
