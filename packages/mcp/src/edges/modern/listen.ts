import { sleepUnlessAborted } from '@gemini-mcp/core/internal';
import { capabilitiesOf } from '../../handlers/introduction.ts';
import { burstMs, listDiffers } from '../../handlers/list-notices.ts';
import { type ListName, type LoadedSurface, makeReady } from '../../handlers/loaded-surface.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { invalidParams, isJsonObject, RpcError } from '../../input/request-params.ts';
import type { SurfaceSource } from '../../surface/surface.ts';
import type { ModernCaller } from './create-modern-server.ts';
import { metaKeys } from './envelope.ts';
import { findTasks } from './tasks/report-tasks.ts';
import type { Tasks } from './tasks/tasks.ts';

/** The lists whose changes a client can hear of, by the field of its filter. */
const lists = {
  toolsListChanged: { names: ['tools'], capability: 'tools', method: 'notifications/tools/list_changed' },
  promptsListChanged: { names: ['prompts'], capability: 'prompts', method: 'notifications/prompts/list_changed' },
  resourcesListChanged: {
    names: ['resources', 'templates'],
    capability: 'resources',
    method: 'notifications/resources/list_changed',
  },
} as const satisfies Record<string, { names: readonly ListName[]; capability: string; method: string }>;

type Field = keyof typeof lists;

const fields = Object.keys(lists) as readonly Field[];

/** Bounds the open subscriptions: each holds a connection and a listener. */
export class ListenPlaces {
  readonly #closing = new AbortController();
  readonly #byOwner = new Map<string, number>();

  /** Aborted when the server ends. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Runs `work` in a place of this owner. Rejects with an `RpcError` if the owner holds too many. */
  async hold(owner: string, work: () => Promise<void>): Promise<void> {
    const held = this.#byOwner.get(owner) ?? 0;
    if (held >= maxPerOwner) {
      throw new RpcError(tooManyCode, `At most ${maxPerOwner} subscriptions can be open. Close one first.`);
    }
    this.#byOwner.set(owner, held + 1);
    try {
      await work();
    } finally {
      const left = (this.#byOwner.get(owner) ?? 1) - 1;
      left === 0 ? this.#byOwner.delete(owner) : this.#byOwner.set(owner, left);
    }
  }

  /** Ends all subscriptions with their result, so that clients do not take it for a failure. */
  close(): void {
    this.#closing.abort();
  }
}

/** Half of the requests that a small HTTP server allows one principal at a time: its calls keep their places. */
const maxPerOwner = 16;

/** Of the range that the protocol leaves to implementations. */
const tooManyCode = -32_000;

export type ListenOptions = {
  readonly params: unknown;
  readonly caller: ModernCaller;
  readonly options: McpServerOptions;
  readonly source: SurfaceSource;
  readonly places: ListenPlaces;
  readonly tasks: Tasks | null;
};

/**
 * Answers `subscriptions/listen`: acknowledges the lists whose changes this server can report and the tasks that it knows, then reports
 * each change until the client closes the stream or the server ends. Resolves once there is nothing more to report.
 */
export async function listen({ params, caller, options, source, places, tasks }: ListenOptions): Promise<Result> {
  const { wanted, taskIds } = readFilter(params);
  const capabilities = capabilitiesOf(options, source.onChange !== undefined);
  const heard = fields.filter((field) => wanted.has(field) && canReport(capabilities[lists[field].capability]));
  const meta = { [metaKeys.subscriptionId]: caller.id };
  const found =
    tasks === null || taskIds === undefined ? [] : await findTasks(taskIds, { tasks, caller, server: options });
  const notifications = {
    ...Object.fromEntries(heard.map((field) => [field, true])),
    ...(found.length > 0 && { taskIds: found.map(({ taskId }) => taskId) }),
  };
  const acknowledge = (): Promise<void> =>
    caller.send({ method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta: meta } });
  if (heard.length === 0 && found.length === 0) {
    await acknowledge();
    return { _meta: meta };
  }
  await places.hold(caller.from.owner, async () => {
    const signal = AbortSignal.any([caller.from.signal, places.closing]);
    const reportLists = await watchLists(heard, { caller, options, source }, signal);
    // Only now: the lists that the client reads from here on are these or later ones, so that no change between is missed.
    await acknowledge();
    await Promise.all([reportLists(), ...found.map((task) => task.report(meta, signal))]);
  });
  return { _meta: meta };
}

type Result = { readonly _meta: { readonly [metaKeys.subscriptionId]: string | number } };

type Filter = { readonly wanted: ReadonlySet<Field>; readonly taskIds: unknown };

function readFilter(params: unknown): Filter {
  const { notifications } = isJsonObject(params) ? params : {};
  if (!isJsonObject(notifications)) {
    throw invalidParams('Invalid parameters: notifications must be an object that names the changes to report');
  }
  const invalid = fields.find((field) => !['undefined', 'boolean'].includes(typeof notifications[field]));
  if (invalid !== undefined) {
    throw invalidParams(`Invalid parameters: ${invalid} must be true or false`);
  }
  const wanted = new Set(fields.filter((field) => notifications[field] === true));
  return { wanted, taskIds: notifications['taskIds'] };
}

function canReport(capability: unknown): boolean {
  return isJsonObject(capability) && capability['listChanged'] === true;
}

/** Reads the lists. The result compares them after each burst of changes, so that a client reads only lists that differ. */
async function watchLists(
  heard: readonly Field[],
  { caller, options, source }: Pick<ListenOptions, 'caller' | 'options' | 'source'>,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  if (heard.length === 0) {
    return () => Promise.resolve();
  }
  const changes = new Changes(source, signal);
  const load = async (): Promise<LoadedSurface> => makeReady(await source.current(null));
  let before = await load();
  return async () => {
    while ((await changes.next()) && (await sleepUnlessAborted(options.clock, burstMs, signal))) {
      changes.forget();
      const now = await load().catch(() => before);
      for (const field of heard) {
        if (await anyDiffers(lists[field].names, [before, now], caller)) {
          const params = { _meta: { [metaKeys.subscriptionId]: caller.id } };
          await caller.send({ method: lists[field].method, params });
        }
      }
      before = now;
    }
  };
}

/** The changes that a source announces, until the signal is aborted. */
class Changes {
  readonly #signal: AbortSignal;
  #isDue = false;
  #wake = (): void => undefined;

  constructor(source: SurfaceSource, signal: AbortSignal) {
    this.#signal = signal;
    const stopListening = source.onChange?.(() => {
      this.#isDue = true;
      this.#wake();
    });
    const end = (): void => {
      stopListening?.();
      this.#wake();
    };
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
  }

  /** Resolves to false once the signal is aborted. */
  async next(): Promise<boolean> {
    while (!this.#isDue && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return !this.#signal.aborted;
  }

  forget(): void {
    this.#isDue = false;
  }
}

type Surfaces = Parameters<typeof listDiffers>[1];

async function anyDiffers(names: readonly ListName[], surfaces: Surfaces, { from }: ModernCaller): Promise<boolean> {
  const differ = await Promise.all(names.map((name) => listDiffers(name, surfaces, from).catch(() => true)));
  return differ.includes(true);
}
