import type { LedgerEntry } from './ledger-entry.ts';
import type { OpenRequest } from './open-request.ts';
import type { RequestCarrier } from './request-carrier.ts';

/** Sends the progress of a request to its client until the request is over. Null where the client did not ask for progress. */
export function createNotifier(entry: LedgerEntry, carrier: RequestCarrier | null): OpenRequest['notify'] {
  const { progressToken, id } = entry;
  if (progressToken === undefined) {
    return null;
  }
  return async (progress) => {
    if (entry.state === 'delivered') {
      const params = { ...progress, progressToken };
      const notification = { jsonrpc: '2.0', method: 'notifications/progress', params } as const;
      await carrier?.send(notification, { relatedRequestId: id });
    }
  };
}
