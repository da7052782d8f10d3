import type {
  ConnectionState,
  KeptLists,
  ServerConfiguration,
  ServerLists,
  ServerTransport,
} from '@gemini-mcp/core/internal';
import type { ConnectionMeans } from './open-connection.ts';
import type { ServerProgress } from './own-requests.ts';
import type { ServerReach } from './server-reach.ts';
import type { ServerRequestAnswers } from './server-requests.ts';

export type UpstreamOptions = Omit<ConnectionMeans, 'fetch'> &
  ServerRequestAnswers & {
    readonly configuration: Omit<ServerConfiguration, 'transport'>;
    readonly transport: ServerTransport['type'];
    /** Asked before each connection: the secrets in it change. Never rejects. */
    readonly reach: (signal: AbortSignal) => Promise<ServerReach>;
    readonly keptLists: KeptLists;
    /** Names the configuration and its owner: what is kept under it is for no one else. */
    readonly key: string;
    /** Takes a line for the log, the server's name in front. */
    readonly log: (line: string) => void;
    /** The state of the connection, or the lists, have changed. */
    readonly onChange: (what: 'state' | 'lists') => void;
  };

export type UpstreamRequest = {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read' | 'completion/complete';
  readonly params: Readonly<Record<string, unknown>>;
  readonly deadlineAtMs: number;
  readonly onProgress?: ((progress: ServerProgress) => void) | undefined;
};

/** What is known of a server, for a reader. */
export type UpstreamStatus = {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'either';
  readonly state: ConnectionState;
  /** Null where they never were read. */
  readonly lists: ServerLists | null;
  /** Why the lists could not be read the last time; of a server that waits for a login, why the last one is of no use. */
  readonly listProblem: string | null;
};
