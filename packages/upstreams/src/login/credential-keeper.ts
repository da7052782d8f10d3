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

/** What became of the wish for newer tokens. */
export type Renewal =
  | { readonly type: 'renewed'; readonly credential: ServerCredential }
  /** There are none, or no newer ones: the user has to log in. */
  | { readonly type: 'gone' }
  /** For now. The credential is as it was. */
  | { readonly type: 'failed'; readonly detail: string };

/** What an issuer made of a refresh token. */
export type Refreshed =
  | { readonly type: 'tokens'; readonly tokens: Pick<ServerCredential, 'tokens' | 'serial'> }
  /** It takes it no more. */
  | { readonly type: 'refused'; readonly detail: string }
  | { readonly type: 'failed'; readonly detail: string };

export type CredentialKeeperOptions = {
  readonly owner: string;
  readonly server: string;
  readonly store: CredentialStore;
  readonly clock: Clock;
  /** Asks the issuer. Never rejects, and ends within its own limit: a new token that is not waited for is lost. */
  readonly refresh: (credential: ServerCredential) => Promise<Refreshed>;
};

/** How long what was read is believed, so that a call reads no file. */
const freshMs = 2_000;

/**
 * A renewal whose lease was not extended for this long was given up: its process is gone. A process that a busy machine holds up for some
 * seconds is not: an issuer that rotates refresh tokens takes a second use for theft.
 */
const leaseMs = 10_000;

const extendEveryMs = 4_000;

const never = new AbortController().signal;

/**
 * The credential of one owner for one server, in this process. Its tokens are renewed by one process at a time: it takes a lease in the
 * record, by compare-and-set, and extends it until it has them. The others wait for the outcome.
 */
export class CredentialKeeper {
  readonly #options: CredentialKeeperOptions;
  readonly #name: string = randomUUID();
  #read: { readonly kept: StoredCredential | null; readonly atMs: number } | null = null;
  /** New tokens that could not be kept. The old ones are of no use any more. */
  #unsaved: CredentialToSave | null = null;
  #renewing: Promise<Renewal> | undefined;

  constructor(options: CredentialKeeperOptions) {
    this.#options = options;
  }

  /** Whether no renewal is under way, and all that it knows is kept. */
  get isIdle(): boolean {
    return this.#renewing === undefined && this.#unsaved === null;
  }

  /** Rejects, with words for a user, where it cannot be known. */
  async current(): Promise<ServerCredential | null> {
    const { clock } = this.#options;
    if (this.#unsaved === null && this.#read !== null && Math.abs(clock.now() - this.#read.atMs) < freshMs) {
      return this.#read.kept?.credential ?? null;
    }
    return (await this.#load())?.credential ?? null;
  }

  /** What is kept, read now. Rejects as `current` does. */
  async newest(): Promise<ServerCredential | null> {
    return (await this.#load())?.credential ?? null;
  }

  /** Newer tokens than those of `serial`: all who want them at a time wait for the same. Never rejects. */
  async renew(serial: string): Promise<Renewal> {
    this.#renewing ??= this.#renew(serial)
      .catch((error: unknown): Renewal => ({ type: 'failed', detail: messageOf(error) }))
      .finally(() => {
        this.#renewing = undefined;
      });
    return await this.#renewing;
  }

  /** Resolves when no renewal is under way. */
  async settled(): Promise<void> {
    await this.#renewing;
  }

  /** Keeps in mind which rights the server wanted. What cannot be kept is asked for by the server again. */
  async want(scopes: readonly string[]): Promise<void> {
    const kept = await this.#load().catch(() => null);
    if (kept !== null && scopes.some((scope) => !kept.credential.wantedScopes.includes(scope))) {
      await this.#save(kept, { wantedScopes: [...new Set([...kept.credential.wantedScopes, ...scopes])].slice(0, 50) });
    }
  }

  /** `abandoned` is a version whose lease does not count any more. */
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
   * Waits for another version, at most for as long as a lease lasts. Resolves to the version if it is still the newest: its lease was
   * abandoned, even if the clock of its machine is ahead of ours.
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

  /** Null where somebody else was first. Rejects where it cannot be kept: with this process, tokens that rotate would be lost. */
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

  /** Until the signal is aborted. Resolves to the credential as it was kept last. */
  async #extendLease(claim: StoredCredential, signal: AbortSignal): Promise<StoredCredential> {
    const { store, owner, server, clock } = this.#options;
    let latest = claim;
    while (await sleepUnlessAborted(clock, extendEveryMs, signal)) {
      const saved = await this.#save(latest, { renewal: this.#lease() });
      if (saved.type === 'saved') {
        latest = saved.kept;
      }
      const kept = saved.type === 'conflict' ? await store.find({ owner, server }, never).catch(() => null) : null;
      // Something else of the record was changed, not its tokens.
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
      // Something else of the record was changed, not its tokens.
      return await this.#keep(kept, change);
    }
    // The user has logged in or out meanwhile.
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

/** What needs no asking of the issuer; null where it has to be asked. */
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
