import type { Clock } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { McpLog } from '../../handlers/mcp-log.ts';
import { isJsonObject } from '../../input/request-params.ts';
import type { ClientRootUris } from '../../surface/surface-context.ts';

/** A client that answers at all answers at once; a person is not to be asked. */
const answerTimeoutMs = 5_000;

/** A call does not wait longer for the answer. Without roots it is told what to set. */
const patienceMs = 2_000;

/** More directories than anybody works in at one time; each is looked up on the disk. */
const maxRoots = 100;

const maxUriCharacters = 4_096;

export type ClientRootsOptions = {
  readonly server: Server;
  readonly clock: Clock;
  readonly log: McpLog;
  /** Called when the roots that are known have become others. */
  readonly onChange: () => void;
};

/**
 * Asks a client for its roots (`roots/list`) when `ask` is called and whenever the client says that they have changed, one request
 * at a time. The answer is the word of a stranger: what is not text is passed over, and of a long list the first 100 count.
 */
export class ClientRoots {
  readonly #options: ClientRootsOptions;
  #known: ClientRootUris = null;
  #asking: Promise<void> | null = null;
  #hasChanged = false;

  constructor(options: ClientRootsOptions) {
    this.#options = options;
    const { server } = options;
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => this.ask());
  }

  /** What is known by now. */
  get known(): ClientRootUris {
    return this.#asking === null ? this.#known : null;
  }

  /** What is known when the client has answered, or after 2 s. Never rejects. */
  async settled(signal: AbortSignal): Promise<ClientRootUris> {
    const { clock } = this.#options;
    if (this.#asking !== null) {
      await raceTimeout({ event: this.#asking, durationMs: patienceMs, clock }, signal);
    }
    return this.known;
  }

  /**
   * To be called once the client is initialized. A client that reports changes without end is asked again when it has answered,
   * and no sooner.
   */
  ask(): void {
    this.#hasChanged = true;
    this.#asking ??= this.#askWhileChanged().finally(() => {
      this.#asking = null;
    });
  }

  async #askWhileChanged(): Promise<void> {
    while (this.#hasChanged) {
      this.#hasChanged = false;
      const before = JSON.stringify(this.#known);
      this.#known = await this.#request();
      if (JSON.stringify(this.#known) !== before) {
        this.#options.onChange();
      }
    }
  }

  async #request(): Promise<ClientRootUris> {
    const { server, log } = this.#options;
    if (server.getClientCapabilities()?.roots === undefined) {
      return null;
    }
    try {
      // Not by the SDK's schema: one root that is no file would hide all others.
      const answer = await server.request({ method: 'roots/list' }, z.looseObject({}), { timeout: answerTimeoutMs });
      return readUris(answer['roots']);
    } catch (error) {
      log({ event: 'client-roots-unknown', correlationId: null, subject: null, error });
      return null;
    }
  }
}

function readUris(roots: unknown): ClientRootUris {
  if (!Array.isArray(roots)) {
    return null;
  }
  return roots
    .slice(0, maxRoots)
    .map((root: unknown) => (isJsonObject(root) ? root['uri'] : null))
    .filter((uri) => typeof uri === 'string')
    .filter((uri) => uri.length <= maxUriCharacters);
}
