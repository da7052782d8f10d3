import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import type { SurfaceContext } from '../surface/surface-context.ts';
import type { ListName, LoadedSurface } from './loaded-surface.ts';
import type { SurfaceRegistry } from './surface-registry.ts';

/** Changes within this time count as one change for the client. */
export const burstMs = 200;

type NoticeMethod =
  | 'notifications/tools/list_changed'
  | 'notifications/prompts/list_changed'
  | 'notifications/resources/list_changed';

const methods: Readonly<Record<ListName, NoticeMethod>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  templates: 'notifications/resources/list_changed',
};

export type ListNotice = { readonly method: NoticeMethod };

export type ListNoticesOptions = {
  readonly surface: SurfaceRegistry;
  readonly clock: Clock;
  /** Who the client is, for lists of its own. */
  readonly describeClient: (signal: AbortSignal) => SurfaceContext;
  /** Resolves when there is room for more. */
  readonly send: (notice: ListNotice) => Promise<void>;
};

/**
 * Sends a client a notice when a list that it has read has changed. A client that has not read a list since the last notice gets no
 * other: so each notice is new, and a slow client has at most four of them to read.
 */
export class ListNotices {
  readonly #options: ListNoticesOptions;
  readonly #told = new Set<ListName>();
  readonly #closed = new AbortController();
  #hasBegun = false;
  #isDue = false;
  #working: Promise<void> | null = null;

  constructor(options: ListNoticesOptions) {
    this.#options = options;
    options.surface.onOutdated = (): void => {
      this.#isDue = true;
      this.#work();
    };
  }

  /** Call when the client is initialized: the protocol allows no notice before. */
  begin(): void {
    this.#hasBegun = true;
    this.#work();
  }

  /** Sends again the notices that a lost stream may have dropped. */
  repeat(): void {
    const { listed } = this.#options.surface;
    this.#send([...this.#told].filter((list) => !listed.has(list))).catch(() => undefined);
  }

  end(): void {
    this.#closed.abort();
  }

  #work(): void {
    if (this.#hasBegun && this.#isDue && !this.#closed.signal.aborted) {
      this.#working ??= this.#tellWhileDue().finally(() => {
        this.#working = null;
        // The loop has not seen notices that became due at its very end.
        this.#work();
      });
    }
  }

  async #tellWhileDue(): Promise<void> {
    const { clock } = this.#options;
    while (this.#isDue && (await sleepUnlessAborted(clock, burstMs, this.#closed.signal))) {
      this.#isDue = false;
      // A failed load is in the log already, and a failed send has lost its reader.
      await this.#tell().catch(() => undefined);
    }
  }

  async #tell(): Promise<void> {
    const { surface } = this.#options;
    const now = await surface.loadWithRoots(this.#closed.signal);
    const changed: ListName[] = [];
    for (const [list, read] of [...surface.listed]) {
      // A list read in the meantime gets its own comparison, or needs none.
      if ((await this.#differs(list, read, now)) && surface.listed.get(list) === read) {
        surface.listed.delete(list);
        this.#told.add(list);
        changed.push(list);
      }
    }
    await this.#send(changed);
  }

  /** A provider that throws counts as changed: the client reads an error instead of its list. */
  #differs(list: ListName, read: LoadedSurface, now: LoadedSurface): Promise<boolean> {
    const context = this.#options.describeClient(this.#closed.signal);
    return listDiffers(list, [read, now], context).catch(() => true);
  }

  async #send(lists: readonly ListName[]): Promise<void> {
    for (const method of new Set(lists.map((list) => methods[list]))) {
      await this.#options.send({ method });
    }
  }
}

type Entries = (surface: LoadedSurface, context: SurfaceContext) => readonly object[] | Promise<readonly object[]>;

const entriesOf: Readonly<Record<ListName, Entries>> = {
  tools: ({ listedTools }) => listedTools,
  prompts: ({ listedPrompts }) => listedPrompts,
  resources: async ({ providers }, context) =>
    (await Promise.all(providers.map((provider) => provider.list(context)))).flat(),
  templates: ({ listedTemplates }) => listedTemplates,
};

/**
 * Whether a client would find another list in one surface than in the other. Lists the resources of both at the same moment, so
 * that a conversation begun meanwhile makes no difference. Rejects if a provider throws.
 */
export async function listDiffers(
  list: ListName,
  [before, now]: readonly [LoadedSurface, LoadedSurface],
  context: SurfaceContext,
): Promise<boolean> {
  if (before === now || (list === 'resources' && isSame(before.providers, now.providers, Object.is))) {
    return false;
  }
  const [read, offered] = await Promise.all([entriesOf[list](before, context), entriesOf[list](now, context)]);
  return !isSame(read, offered, isEqual);
}

function isSame(
  some: readonly object[],
  others: readonly object[],
  equals: (one: object, other: object | undefined) => boolean,
): boolean {
  return some.length === others.length && some.every((one, index) => equals(one, others[index]));
}

function isEqual(one: object, other: object | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
