import type { Clock } from '@gemini-mcp/core';
import { raceTimeout } from '@gemini-mcp/core/internal';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { McpLog } from '../../handlers/mcp-log.ts';
import { isJsonObject } from '../../input/request-params.ts';
import type { ClientRootUris } from '../../surface/surface-context.ts';

/** A client that answers at all answers at once; no person is asked. */
const answerTimeoutMs = 5_000;

/** A call does not wait longer for the answer. Without roots it reports which setting to use. */
const patienceMs = 2_000;

/** More directories than anyone works in at one time; each is looked up on the disk. */
const maxRoots = 100;

const maxUriCharacters = 4_096;

export type ClientRootsOptions = {
  readonly server: Server;
  readonly clock: Clock;
  readonly log: McpLog;
  /** Called when the known roots have changed. */
  readonly onChange: () => void;
};

/**
 * Asks a client for its roots (`roots/list`) when `ask` is called and whenever the client reports a change, one request at a time.
 * The answer is untrusted: entries that are not text are skipped, and only the first 100 of a list count.
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

  /** The roots known so far. */
  get known(): ClientRootUris {
    return this.#asking === null ? this.#known : null;
  }

  /** The roots once the client has answered, or after 2 s. Never rejects. */
  async settled(signal: AbortSignal): Promise<ClientRootUris> {
    const { clock } = this.#options;
    if (this.#asking !== null) {
      await raceTimeout({ event: this.#asking, durationMs: patienceMs, clock }, signal);
      // While code loads, nothing is read, and timers come before the input that has arrived meanwhile.
      await new Promise(setImmediate);
    }
    return this.known;
  }

  /**
   * Call once the client is initialized. A client that keeps reporting changes is asked again only after it has
   * answered.
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
      // Not the SDK's schema: one root with another scheme than file: would hide all others.
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
