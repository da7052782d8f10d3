import { readFileSync } from 'node:fs';

export type ConnectionSlotsOptions = {
  readonly maxConnections: number;
};

/** The verdict on a new connection. `displaced` is the connection to close for it, or null. */
export type SlotAdmission<Connection> =
  | { readonly type: 'admitted'; readonly displaced: Connection | null }
  | { readonly type: 'refused' };

type Place = {
  /** All connections, in order of arrival. */
  readonly number: number;
  readonly address: string;
  /** Null until the connection carried a request with a valid token. */
  readonly owner: string | null;
  readonly underWay: number;
};

/**
 * Decides which connection is closed when there are too many. A connection counts as a stranger's until it has carried a
 * request with a valid token. A new connection displaces the oldest stranger of the address that has most strangers,
 * whatever that stranger sends or waits for. Behind a proxy, where all have one address, that is the oldest stranger of all.
 * If there are no strangers, it displaces the longest idle connection of the owner that has most connections, if that owner
 * has more than an equal share. A connection of an owner with a running request is never displaced.
 *
 * Node's `maxConnections` would close the new connection instead: 5,000 silent strangers then keep every client out
 * (ACCESS-01).
 */
export class ConnectionSlots<Connection extends object> {
  readonly #maxConnections: number;
  readonly #places = new Map<Connection, Place>();
  readonly #strangers = new Holders<Connection>();
  readonly #owned = new Holders<Connection>();
  #lastNumber = 0;

  constructor({ maxConnections }: ConnectionSlotsOptions) {
    this.#maxConnections = maxConnections;
  }

  /** Gives a new connection a slot, and takes it from `displaced`. `address` identifies the sender. */
  admit(connection: Connection, address: string): SlotAdmission<Connection> {
    const isFull = this.#places.size >= this.#maxConnections;
    const displaced = isFull ? this.#findDisplaced(address) : null;
    if (isFull && displaced === null) {
      return { type: 'refused' };
    }
    if (displaced !== null) {
      this.release(displaced);
    }
    this.#lastNumber += 1;
    this.#places.set(connection, { number: this.#lastNumber, address, owner: null, underWay: 0 });
    this.#strangers.add(address, connection);
    return { type: 'admitted', displaced };
  }

  /** Notes that a request with a valid token of this owner has arrived on the connection. */
  noteOwner(connection: Connection, owner: string): void {
    const place = this.#places.get(connection);
    if (place !== undefined && place.owner !== owner) {
      this.#leave(connection, place);
      this.#places.set(connection, { ...place, owner });
      this.#owned.add(owner, connection);
    }
  }

  /** Notes a running request, until `end` is called as often. */
  begin(connection: Connection): void {
    this.#count(connection, 1);
  }

  end(connection: Connection): void {
    this.#count(connection, -1);
    const owner = this.#places.get(connection)?.owner ?? null;
    if (owner !== null) {
      this.#owned.add(owner, connection);
    }
  }

  /** Frees the slot of a closed connection. Does nothing for a connection without a slot. */
  release(connection: Connection): void {
    const place = this.#places.get(connection);
    if (place !== undefined) {
      this.#places.delete(connection);
      this.#leave(connection, place);
    }
  }

  #findDisplaced(address: string): Connection | null {
    const isOlder = (one: Connection, other: Connection): boolean => this.#numberOf(one) < this.#numberOf(other);
    const [stranger] = this.#strangers.largest(address, isOlder);
    if (stranger !== undefined) {
      return stranger;
    }
    const most = this.#owned.largest(null, isOlder);
    // The new connection may belong to a further owner. No owner loses its only connection.
    const share = Math.max(1, this.#maxConnections / (this.#owned.size + 1));
    const idle = most.find((connection) => this.#places.get(connection)?.underWay === 0);
    return most.length > share ? (idle ?? null) : null;
  }

  #numberOf(connection: Connection): number {
    return this.#places.get(connection)?.number ?? 0;
  }

  #count(connection: Connection, difference: number): void {
    const place = this.#places.get(connection);
    if (place !== undefined) {
      this.#places.set(connection, { ...place, underWay: place.underWay + difference });
    }
  }

  #leave(connection: Connection, { address, owner }: Place): void {
    if (owner === null) {
      this.#strangers.remove(address, connection);
    } else {
      this.#owned.remove(owner, connection);
    }
  }
}

/** Items by holder, each in the order in which the holder got it. */
class Holders<Thing> {
  readonly #things = new Map<string, Set<Thing>>();

  /** The number of holders. */
  get size(): number {
    return this.#things.size;
  }

  /** Makes an item the last one of its holder, even if the holder has it already. */
  add(holder: string, thing: Thing): void {
    const held = this.#things.get(holder) ?? new Set();
    held.delete(thing);
    this.#things.set(holder, held.add(thing));
  }

  remove(holder: string, thing: Thing): void {
    const held = this.#things.get(holder);
    held?.delete(thing);
    if (held?.size === 0) {
      this.#things.delete(holder);
    }
  }

  /**
   * The items of the holder with most, as if `newcomer` had one more; empty if there are no items. `isBefore` decides
   * between holders with equal counts by the first item of each.
   */
  largest(newcomer: string | null, isBefore: (one: Thing, other: Thing) => boolean): readonly Thing[] {
    let best: { readonly count: number; readonly held: Set<Thing>; readonly first: Thing } | null = null;
    for (const [holder, held] of this.#things) {
      const count = held.size + (holder === newcomer ? 1 : 0);
      const [first] = held;
      if (
        first !== undefined &&
        (best === null || count > best.count || (count === best.count && isBefore(first, best.first)))
      ) {
        best = { count, held, first };
      }
    }
    return best === null ? [] : [...best.held];
  }
}

type ConnectionLimitOptions = {
  /** As configured. */
  readonly maxConnections: number;
  /** How many calls may run in parallel. */
  readonly maxRunning: number;
  /** The file descriptor limit of this process; null if unknown. */
  readonly maxDescriptors: number | null;
};

/** For the log, the stores, kept processes, the keys of an issuer, and Node itself. */
const ownDescriptors = 64;

/** Pipes of a starting process, and files that are read or copied meanwhile. */
const descriptorsPerCall = 16;

/** With fewer the server would be unusable. */
const fewestConnections = 8;

/**
 * How many connections may be open at once, so that they leave the descriptors that calls need: anybody can open connections
 * (SYSTEM-01, few-descriptors.test.ts).
 */
export function limitConnections({ maxConnections, maxRunning, maxDescriptors }: ConnectionLimitOptions): number {
  if (maxDescriptors === null) {
    return maxConnections;
  }
  const room = maxDescriptors - ownDescriptors - maxRunning * descriptorsPerCall;
  return Math.min(maxConnections, Math.max(room, fewestConnections));
}

/** The file descriptor limit of this process; null if unknown or unlimited. */
export function readDescriptorLimit(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1]) || null;
  } catch {
    return null;
  }
}
