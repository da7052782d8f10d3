import {
  approveTools,
  type JudgedTool,
  judgeTools,
  type KeptPins,
  type ListedTool,
  type OtherServerLists,
  type ServerLists,
  type ToolPin,
} from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';
import { offersTool, type ServerEntry } from '../settings/server-entry.ts';

export type JudgedListsOptions = {
  readonly keptPins: KeptPins;
  /** Names the configuration of the server and its owner. */
  readonly key: string;
  /** Takes a line when pins could not be kept. */
  readonly log: (line: string) => void;
};

type Judged = {
  readonly from: ServerLists;
  readonly entry: ServerEntry;
  readonly pins: readonly ToolPin[];
  readonly lists: OtherServerLists;
};

/**
 * The lists of one server with a judgement for each tool, of which the settings leave some out. Pins are looked at again as long as a tool is
 * withheld: another process may have approved it.
 */
export class JudgedLists {
  readonly #options: JudgedListsOptions;
  readonly #closing = new AbortController();
  /** What this process has seen, also where it could not be kept. */
  #seen: readonly ToolPin[] | null = null;
  #judged: Judged | null = null;
  #isKept = true;
  /** One at a time: what is seen second is never taken for the first sight. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: JudgedListsOptions) {
    this.#options = options;
  }

  /** Whether what was seen is on the disk: without this process a change would be noticed all the same. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Never rejects. Pins that cannot be read withhold every tool. */
  async of(lists: ServerLists, entry: ServerEntry): Promise<OtherServerLists> {
    const known = this.#judged;
    if (known?.from === lists && known.entry === entry && known.lists.tools.every(isLent)) {
      return known.lists;
    }
    return await this.#inTurn(() => this.#judge(lists, entry));
  }

  /** Approves tools as they are given. Resolves to null when that is kept, otherwise to why not, for a user. Never rejects. */
  async approve(tools: readonly ListedTool[]): Promise<string | null> {
    return await this.#inTurn(async () => {
      const pins = approveTools({ tools, pins: [], names: 'all', sha256: digestOf });
      const problem = await this.#keep(pins);
      if (problem === null) {
        this.#seen = merge(this.#seen ?? [], pins);
      }
      return problem;
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn;
    return await turn;
  }

  async #judge(from: ServerLists, entry: ServerEntry): Promise<OtherServerLists> {
    const kept = await this.#load();
    const before = kept === null ? this.#seen : merge(this.#seen ?? [], kept);
    const known = this.#judged;
    if (known?.from === from && known.entry === entry && before !== null && areEqual(known.pins, before)) {
      return known.lists;
    }
    const { tools: listed, ...others } = from;
    const { judgements, pins } = judgeTools({ tools: listed, pins: before, mode: entry.pin, sha256: digestOf });
    if (before === null) {
      await this.#keepFirst(pins);
    }
    this.#seen = pins;
    const tools = listed
      .filter(({ name }) => offersTool(entry, name))
      .flatMap((tool): JudgedTool[] => {
        const judgement = judgements.get(tool.name);
        return judgement === undefined ? [] : [{ listed: tool, judgement }];
      });
    this.#judged = { from, entry, pins, lists: { ...others, tools } };
    return this.#judged.lists;
  }

  async #load(): Promise<readonly ToolPin[] | null> {
    const { keptPins, key } = this.#options;
    return await keptPins.load(key, this.#closing.signal).catch(() => []);
  }

  async #keepFirst(pins: readonly ToolPin[]): Promise<void> {
    const problem = await this.#keep(pins);
    this.#isKept = problem === null;
    if (problem !== null) {
      const { log } = this.#options;
      log(`How its tools are now could not be kept: a change is noticed only until this server ends. ${problem}`);
    }
  }

  async #keep(pins: readonly ToolPin[]): Promise<string | null> {
    const { keptPins, key } = this.#options;
    return await keptPins.add(key, pins, this.#closing.signal).catch(() => 'It could not be kept.');
  }
}

function isLent({ judgement }: JudgedTool): boolean {
  return judgement.type === 'lent';
}

/** What is kept on the disk counts: another process may have approved since. */
function merge(seen: readonly ToolPin[], kept: readonly ToolPin[]): readonly ToolPin[] {
  return [...new Map([...seen, ...kept].map((pin) => [pin.tool, pin])).values()];
}

function areEqual(some: readonly ToolPin[], others: readonly ToolPin[]): boolean {
  const digests = new Map(some.map(({ tool, digest }) => [tool, digest]));
  return some.length === others.length && others.every(({ tool, digest }) => digests.get(tool) === digest);
}
