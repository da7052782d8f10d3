import type { Clock } from '@gemini-mcp/core';
import {
  approveCommand,
  approveTools,
  type JudgedTool,
  judgeTools,
  type ListedTool,
  type ServerLists,
  type ServerReply,
  sleepUnlessAborted,
  type ToolPin,
  type ToolPinStore,
  type UpstreamListing,
  type UpstreamListStore,
} from '@gemini-mcp/core/internal';
import type { ListsReading } from './connection/read-lists.ts';
import { digestOf } from './digest-of.ts';
import { offersTool, type ServerEntry } from './settings/read-server-entry.ts';
import type { ServerRemedies } from './upstreams-options.ts';

export type UpstreamListsOptions = {
  readonly clock: Clock;
  readonly upstreamListStore: UpstreamListStore;
  readonly toolPinStore: ToolPinStore;
  /** Identifies the server's configuration and its owner. */
  readonly key: string;
  readonly relistMs: number;
  /** As in `UpstreamsOptions`. */
  readonly remedies?: Pick<ServerRemedies, 'approve'> | undefined;
  /** Reads the lists over the current connection; null without one. */
  readonly read: (signal: AbortSignal) => Promise<ListsReading | null>;
  /** Called when the lists differ from before. */
  readonly onChange: () => void;
  /** Logs a line when saving pins fails. */
  readonly log: (line: string) => void;
};

type Judged = {
  readonly from: ServerLists;
  readonly entry: ServerEntry;
  readonly pins: readonly ToolPin[];
  readonly lists: UpstreamListing;
};

/**
 * The lists of one server: saved, so that they are known without a connection, read again when they may have changed, and with each tool judged by
 * its pin.
 */
export class UpstreamLists {
  readonly #options: UpstreamListsOptions;
  readonly #closing = new AbortController();
  #lists: ServerLists | null = null;
  #loading: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #problem: string | null = null;
  /** The pins that this process has seen, saved or not. */
  #pins: readonly ToolPin[] | null = null;
  #judged: Judged | null = null;
  #isSaved = true;
  /** Serializes judgements: the second look at a server must not count as the first. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: UpstreamListsOptions) {
    this.#options = options;
  }

  /** Why the last reading of the lists failed, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Whether the pins are saved: otherwise changes go unnoticed after this process ends. */
  get isSaved(): boolean {
    return this.#isSaved;
  }

  /** Whether lists are known. Calls no server, and never rejects. */
  async isKnown(): Promise<boolean> {
    this.#loading ??= this.#load();
    await this.#loading;
    return this.#lists !== null;
  }

  /**
   * The known lists, without tools that the settings exclude; null if they were never read. Calls no server, and never rejects. If the pins cannot be
   * loaded, withholds every tool.
   */
  async judged(entry: ServerEntry): Promise<UpstreamListing | null> {
    await this.isKnown();
    const lists = this.#lists;
    const known = this.#judged;
    if (lists === null) {
      return null;
    }
    // Reloads the pins while a tool is withheld: another process may have approved it.
    return known?.from === lists && known.entry === entry && known.lists.tools.every(isLent)
      ? known.lists
      : await this.#inTurn(() => this.#judge(lists, entry));
  }

  /** Why a tool may not be called; null if it may. Calls no server, and never rejects. */
  async refuse(tool: string, entry: ServerEntry): Promise<ServerReply | null> {
    const lists = await this.judged(entry);
    if (lists === null) {
      return unavailable(`Its tools are unknown. ${this.#problem ?? ''}`.trim());
    }
    const judgement = lists.tools.find(({ listed }) => listed.name === tool)?.judgement;
    if (judgement === undefined) {
      return { type: 'kept-back', detail: 'It has no tool with this name.' };
    }
    if (judgement.type === 'offered') {
      return null;
    }
    const { approve } = this.#options.remedies ?? { approve: approveCommand };
    const remedy = `The user has to review it: ${approve(entry.name)}`;
    return { type: 'kept-back', detail: `${whyWithheld[judgement.reason]} ${remedy}` };
  }

  /** Reads the lists soon, and at most once in `relistMs`. Resolves when they are as new as this call; never rejects. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale();
    await this.#reading;
  }

  /** Approves tools exactly as given. Resolves to null when that is saved, otherwise to the reason, for a user. Never rejects. */
  async approve(tools: readonly ListedTool[]): Promise<string | null> {
    return await this.#inTurn(async () => {
      const pins = approveTools({ tools, pins: [], names: 'all', sha256: digestOf });
      const problem = await this.#save(pins);
      if (problem === null) {
        this.#pins = merge(this.#pins ?? [], pins);
      }
      return problem;
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #load(): Promise<void> {
    const { upstreamListStore, key } = this.#options;
    const loaded = await upstreamListStore.load(key, this.#closing.signal);
    this.#lists ??= loaded;
  }

  async #readWhileStale(): Promise<void> {
    await this.isKnown();
    const { clock, relistMs } = this.#options;
    while (this.#isStale && !this.#closing.signal.aborted) {
      await sleepUnlessAborted(clock, this.#readAtMs + relistMs - clock.now(), this.#closing.signal);
      this.#isStale = false;
      this.#readAtMs = clock.now();
      await this.#readOnce();
    }
    // In the same step as the check of `#isStale`, so that no refresh is lost in between.
    this.#reading = undefined;
  }

  async #readOnce(): Promise<void> {
    const { read, upstreamListStore, key, onChange } = this.#options;
    const reading = await read(this.#closing.signal);
    if (reading === null || this.#closing.signal.aborted) {
      return;
    }
    this.#problem = reading.type === 'failed' ? reading.detail : null;
    if (reading.type === 'failed') {
      return;
    }
    const before = this.#lists;
    this.#lists = reading.lists;
    if (before === null || contentOf(before) !== contentOf(reading.lists)) {
      onChange();
    }
    await upstreamListStore.save(key, reading.lists, this.#closing.signal);
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn;
    return await turn;
  }

  async #judge(from: ServerLists, entry: ServerEntry): Promise<UpstreamListing> {
    const { toolPinStore, key } = this.#options;
    const saved = await toolPinStore.load(key, this.#closing.signal).catch(() => []);
    const before = saved === null ? this.#pins : merge(this.#pins ?? [], saved);
    const known = this.#judged;
    if (known?.from === from && known.entry === entry && before !== null && areEqual(known.pins, before)) {
      return known.lists;
    }
    const { tools: listed, ...others } = from;
    const { judgements, pins } = judgeTools({ tools: listed, pins: before, mode: entry.pin, sha256: digestOf });
    if (before === null) {
      await this.#saveFirst(pins);
    }
    this.#pins = pins;
    const tools = listed
      .filter(({ name }) => offersTool(entry, name))
      .flatMap((tool): JudgedTool[] => {
        const judgement = judgements.get(tool.name);
        return judgement === undefined ? [] : [{ listed: tool, judgement }];
      });
    this.#judged = { from, entry, pins, lists: { ...others, tools } };
    return this.#judged.lists;
  }

  async #saveFirst(pins: readonly ToolPin[]): Promise<void> {
    const problem = await this.#save(pins);
    this.#isSaved = problem === null;
    if (problem !== null) {
      const { log } = this.#options;
      log(`Its tools could not be pinned: changes go unnoticed after this program ends. ${problem}`);
    }
  }

  async #save(pins: readonly ToolPin[]): Promise<string | null> {
    const { toolPinStore, key } = this.#options;
    return await toolPinStore.add(key, pins, this.#closing.signal).catch(() => 'The pins could not be saved.');
  }
}

const whyWithheld = {
  new: 'This tool is withheld: it is newer than the approval of its server.',
  changed: 'This tool is withheld: it changed since its approval.',
  unreadable: 'This tool is withheld: its description is too large to compare.',
} as const;

export function unavailable(detail: string): ServerReply {
  return { type: 'unavailable', detail, wasSent: false };
}

function contentOf({ takenAtMs: _, ...content }: ServerLists): string {
  return JSON.stringify(content);
}

function isLent({ judgement }: JudgedTool): boolean {
  return judgement.type === 'offered';
}

/** Saved pins win: another process may have approved since. */
function merge(seen: readonly ToolPin[], saved: readonly ToolPin[]): readonly ToolPin[] {
  return [...new Map([...seen, ...saved].map((pin) => [pin.tool, pin])).values()];
}

function areEqual(some: readonly ToolPin[], others: readonly ToolPin[]): boolean {
  const digests = new Map(some.map(({ tool, digest }) => [tool, digest]));
  return some.length === others.length && others.every(({ tool, digest }) => digests.get(tool) === digest);
}
