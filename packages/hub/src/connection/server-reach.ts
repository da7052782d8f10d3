import type { ServerTransport } from '@gemini-mcp/core/internal';
import type { ConnectionMeans } from './open-connection.ts';

/** How a server is reached, or a sentence for a user on why that cannot be said. */
export type ServerReach =
  | {
      readonly isKnown: true;
      readonly transport: ServerTransport;
      readonly fetch: ConnectionMeans['fetch'];
      /** Texts that no reader of a failure is to see: a server may repeat by what it was let in. None when it is missing. */
      readonly secrets?: readonly string[];
      /** Whether there is a login that the server has not refused yet. Never rejects; a server without it waits for `loggedIn`. */
      readonly hasNewLogin?: () => Promise<boolean>;
      /** Why a login that there was is of no use any more, for a user. Never rejects. */
      readonly whyRefused?: () => Promise<string | null>;
    }
  | { readonly isKnown: false; readonly problem: string };
