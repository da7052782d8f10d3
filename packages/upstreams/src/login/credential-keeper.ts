import { randomUUID } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import {
  type CredentialStore,
  type CredentialToSave,
  raceTimeout,
  type ServerCredential,
  type StoredCredential,
  sleepUnlessAborted,
} from '@gemini-mcp/core/internal';

/** The outcome of a request for newer tokens. */
export type Renewal =
  | { readonly type: 'renewed'; readonly credential: ServerCredential }
  /** No tokens, or no newer ones: the user has to log in. */
  | { readonly type: 'gone' }
  /** A temporary failure. The credential is unchanged. */
  | { readonly type: 'failed'; readonly detail: string };

/** The issuer's answer to a refresh token. */
export type Refreshed =
  | { readonly type: 'tokens'; readonly tokens: Pick<ServerCredential, 'tokens' | 'serial'> }
  /** The issuer no longer accepts it. */
  | { readonly type: 'refused'; readonly detail: string }
  | { readonly type: 'failed'; readonly detail: string };

export type CredentialKeeperOptions = {
  readonly owner: string;
  readonly server: string;
  readonly store: CredentialStore;
  readonly clock: Clock;
  /** Asks the issuer. Never rejects, and ends within its own limit: a new token that no one waits for is lost. */
  readonly refresh: (credential: ServerCredential) => Promise<Refreshed>;
};

/** Reuses a record this recent, so that a call reads no file. */
const freshMs = 2_000;

/**
 * A lease not extended for this long is abandoned: its process is gone. The time outlasts the pauses of some seconds on a busy machine, because an
 * issuer that rotates refresh tokens takes a second use for theft.
 */
const leaseMs = 10_000;

const extendEveryMs = 4_000;

const never = new AbortController().signal;

/**
 * The credential of one owner for one server, in this process. One process at a time renews its tokens: it takes a lease in the record, by
 * compare-and-set, and extends it until it has them. The others wait for the outcome.
 */
export class CredentialKeeper {
  readonly #options: CredentialKeeperOptions;
  readonly #name: string = randomUUID();
  #read: { readonly kept: StoredCredential | null; readonly atMs: number } | null = null;
  /** New tokens that could not be saved. The old ones no longer work. */
  #unsaved: CredentialToSave | null = null;
  #renewing: Promise<Renewal> | undefined;

  constructor(options: CredentialKeeperOptions) {
    this.#options = options;
  }

  /** Whether no renewal is running, and everything known is saved. */
  get isIdle(): boolean {
    return this.#renewing === undefined && this.#unsaved === null;
  }

  /** The credential, possibly from the cache. Rejects, with a message for the user, if it cannot be read. */
  async current(): Promise<ServerCredential | null> {
    const { clock } = this.#options;
    if (this.#unsaved === null && this.#read !== null && Math.abs(clock.now() - this.#read.atMs) < freshMs) {
      return this.#read.kept?.credential ?? null;
    }
    return (await this.#load())?.credential ?? null;
  }

  /** The credential, read now. Rejects as `current` does. */
  async newest(): Promise<ServerCredential | null> {
    return (await this.#load())?.credential ?? null;
  }

  /** Returns newer tokens than those of `serial`. Concurrent callers share one renewal. Never rejects. */
  async renew(serial: string): Promise<Renewal> {
    this.#renewing ??= this.#renew(serial)
      .catch((error: unknown): Renewal => ({ type: 'failed', detail: messageOf(error) }))
      .finally(() => {
        this.#renewing = undefined;
      });
    return await this.#renewing;
  }

  /** Resolves when no renewal is running. */
  async settled(): Promise<void> {
    await this.#renewing;
  }

  /** Saves the rights that the server requires. If saving fails, the server asks for them again. */
  async want(scopes: readonly string[]): Promise<void> {
    const kept = await this.#load().catch(() => null);
    if (kept !== null && scopes.some((scope) => !kept.credential.wantedScopes.includes(scope))) {
      await this.#save(kept, { wantedScopes: [...new Set([...kept.credential.wantedScopes, ...scopes])].slice(0, 50) });
    }
  }

  /** `abandoned` is a version whose lease no longer counts. */
  async #renew(serial: string, abandoned: number | null = null): Promise<Renewal> {
    const kept = await this.#load();
    const known = renewalKnown(kept?.credential ?? null, serial);
    if (kept === null || known !== null) {
      return known ?? { type: 'gone' };
    }
    if (this.#isLeased(kept) && kept.version !== abandoned) {
      return await this.#renew(serial, await this.#waitForChange(kept));
    }
    const claim = await this.#claim(kept);
    return claim === null ? await this.#renew(serial) : await this.#refresh(claim);
  }

  #isLeased({ credential: { renewal } }: StoredCredential): boolean {
    return renewal !== null && renewal.untilMs > this.#options.clock.now();
  }

  /**
   * Waits for another version, at most for the length of a lease. Resolves to the version if it is still the newest: its lease is abandoned, even if
   * the clock of its machine is ahead of ours.
   */
  async #waitForChange(kept: StoredCredential): Promise<number | null> {
    const { store, owner, clock } = this.#options;
    const over = new AbortController();
    const event = store.changed(owner, kept, over.signal).catch(() => undefined);
    const end = await raceTimeout({ event, durationMs: leaseMs, clock }, never);
    over.abort();
    return end === 'happened' ? null : kept.version;
  }

  #lease(): ServerCredential['renewal'] {
    return { by: this.#name, untilMs: this.#options.clock.now() + leaseMs };
  }

  /** Null if another process was first. Rejects if the lease cannot be saved: rotating tokens would be lost with this process. */
  async #claim(kept: StoredCredential): Promise<StoredCredential | null> {
    const saved = await this.#save(kept, { renewal: this.#lease() });
    if (saved.type === 'unavailable') {
      throw new Error(`It cannot be kept: ${saved.detail}`);
    }
    return saved.type === 'conflict' ? null : saved.kept;
  }

  async #refresh(claimed: StoredCredential): Promise<Renewal> {
    const { clock, refresh } = this.#options;
    const over = new AbortController();
    const extending = this.#extendLease(claimed, over.signal);
    const outcome = await refresh(claimed.credential);
    over.abort();
    const claim = await extending;
    switch (outcome.type) {
      case 'failed':
        await this.#save(claim, { renewal: null });
        return outcome;
      case 'refused':
        await this.#save(claim, { renewal: null, refusal: outcome.detail });
        return { type: 'gone' };
      case 'tokens':
        return await this.#keep(claim, { ...outcome.tokens, renewal: null, updatedAtMs: clock.now() });
    }
  }

  /** Runs until the signal aborts. Resolves to the credential as last saved. */
  async #extendLease(claim: StoredCredential, signal: AbortSignal): Promise<StoredCredential> {
    const { store, owner, server, clock } = this.#options;
    let latest = claim;
    while (await sleepUnlessAborted(clock, extendEveryMs, signal)) {
      const saved = await this.#save(latest, { renewal: this.#lease() });
      if (saved.type === 'saved') {
        latest = saved.kept;
      }
      const kept = saved.type === 'conflict' ? await store.find({ owner, server }, never).catch(() => null) : null;
      // Another member of the record changed, not its tokens.
      latest = kept?.credential.serial === claim.credential.serial ? kept : latest;
    }
    return latest;
  }

  async #keep(claim: StoredCredential, change: Partial<ServerCredential>): Promise<Renewal> {
    const saved = await this.#save(claim, change);
    if (saved.type !== 'conflict') {
      const credential = { ...claim.credential, ...change };
      this.#unsaved = saved.type === 'saved' ? null : { credential, expectedVersion: claim.version };
      return { type: 'renewed', credential };
    }
    const kept = await this.#load();
    if (kept?.credential.serial === claim.credential.serial) {
      // Another member of the record changed, not its tokens.
      return await this.#keep(kept, change);
    }
    // The user has logged in or out in the meantime.
    return kept === null ? { type: 'gone' } : { type: 'renewed', credential: kept.credential };
  }

  async #save({ credential, version }: StoredCredential, change: Partial<ServerCredential>): Promise<Saved> {
    const { store, owner } = this.#options;
    const changed = { ...credential, ...change };
    const saved = await store.save(owner, { credential: changed, expectedVersion: version }, never);
    if (saved.saved) {
      const kept = { credential: changed, version: saved.version };
      this.#keepInMind(kept);
      return { type: 'saved', kept };
    }
    return saved.reason === 'conflict' ? { type: 'conflict' } : { type: 'unavailable', detail: saved.detail };
  }

  async #load(): Promise<StoredCredential | null> {
    const { store, owner, server } = this.#options;
    const unsaved = this.#unsaved;
    if (unsaved !== null) {
      const saved = await store.save(owner, unsaved, never);
      if (!saved.saved && saved.reason === 'unavailable') {
        return { credential: unsaved.credential, version: unsaved.expectedVersion };
      }
      this.#unsaved = null;
    }
    return this.#keepInMind(await store.find({ owner, server }, never));
  }

  #keepInMind(kept: StoredCredential | null): StoredCredential | null {
    this.#read = { kept, atMs: this.#options.clock.now() };
    return kept;
  }
}

type Saved =
  | { readonly type: 'saved'; readonly kept: StoredCredential }
  | { readonly type: 'conflict' }
  | { readonly type: 'unavailable'; readonly detail: string };

/** The outcome if it is known without asking the issuer; otherwise null. */
function renewalKnown(credential: ServerCredential | null, serial: string): Renewal | null {
  if (credential !== null && credential.serial !== serial) {
    return { type: 'renewed', credential };
  }
  const isRenewable = credential !== null && credential.refusal === null && credential.tokens.refresh !== null;
  return isRenewable ? null : { type: 'gone' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
