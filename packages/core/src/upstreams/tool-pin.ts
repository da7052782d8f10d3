import { unifiedDiff } from '../edits/unified-diff.ts';
import { findOversize } from '../json/find-oversize.ts';
import { orderMembers } from '../json/order-members.ts';
import type { Sha256 } from '../ports/sha256.ts';
import type { ListedTool } from '../ports/upstreams/server-lists.ts';
import type { ToolJudgement } from '../ports/upstreams/upstream-servers.ts';
import { escapeJson } from '../text/escape-json.ts';

/** A tool as it was approved. */
export type ToolPin = {
  readonly tool: string;
  /** SHA-256 of `definition`. */
  readonly digest: string;
  /** Everything that the server said about the tool, one statement on each line. */
  readonly definition: string;
};

/** Whether tools must match their approval; the operator can turn this off. */
export type PinMode = 'on' | 'off';

export type JudgedTools = {
  readonly judgements: ReadonlyMap<string, ToolJudgement>;
  /** The pins to save. Those of removed tools stay: such a tool may return changed. */
  readonly pins: readonly ToolPin[];
};

export type JudgeToolsOptions = {
  readonly tools: readonly ListedTool[];
  /** Null for a server whose tools were never seen with this configuration: all are pinned as they are. */
  readonly pins: readonly ToolPin[] | null;
  readonly mode: PinMode;
  readonly sha256: Sha256;
};

const limits = { maxValues: 20_000, maxCharacters: 400_000, maxDepth: 100 };

/** For one definition: of two with this length the whole difference is shown. */
const maxDefinitionCharacters = 250_000;

/** A tool's inputs and claims come before its description. */
const shownOrder = ['name', 'title', 'annotations', 'inputSchema', 'outputSchema', 'description'];

/** Which tools of a server may be used, and which are withheld because they differ from their approval. */
export function judgeTools({ tools, pins, mode, sha256 }: JudgeToolsOptions): JudgedTools {
  const known = new Map((pins ?? []).map((pin) => [pin.tool, pin]));
  const isFirstSight = pins === null;
  const judgements = new Map<string, ToolJudgement>();
  for (const tool of tools) {
    const pin = pinTool(tool, sha256);
    if (isFirstSight && pin !== null && !known.has(tool.name)) {
      known.set(tool.name, pin);
    }
    const judgement = judge(pin, known.get(tool.name) ?? null, mode);
    // A server that lists a tool twice gets the stricter judgement.
    if (judgements.get(tool.name)?.type !== 'withheld') {
      judgements.set(tool.name, judgement);
    }
  }
  return { judgements, pins: [...known.values()] };
}

/** The pins after a user has approved the named tools, or all, in their current form. */
export function approveTools({
  tools,
  pins,
  names,
  sha256,
}: {
  readonly tools: readonly ListedTool[];
  readonly pins: readonly ToolPin[];
  readonly names: readonly string[] | 'all';
  readonly sha256: Sha256;
}): readonly ToolPin[] {
  const approved = tools.filter(({ name }) => names === 'all' || names.includes(name));
  const made = approved.map((tool) => pinTool(tool, sha256)).filter((pin) => pin !== null);
  return [...new Map([...pins, ...made].map((pin) => [pin.tool, pin])).values()];
}

/** Null for a definition that is too large to read. */
function pinTool(tool: ListedTool, sha256: Sha256): ToolPin | null {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const told = { name, title, description: description.split('\n'), inputSchema, outputSchema, annotations };
  if (findOversize(told, limits) !== null) {
    return null;
  }
  // One statement on each line, for the diff.
  const definition = `${escapeJson(JSON.stringify(orderMembers(told), null, 1))}\n`;
  return definition.length > maxDefinitionCharacters ? null : { tool: name, digest: sha256(definition), definition };
}

function judge(pin: ToolPin | null, approved: ToolPin | null, mode: PinMode): ToolJudgement {
  if (pin === null) {
    return { type: 'withheld', reason: 'unreadable', diff: '' };
  }
  if (mode === 'off' || pin.digest === approved?.digest) {
    return { type: 'offered' };
  }
  const reason = approved === null ? 'new' : 'changed';
  return {
    type: 'withheld',
    reason,
    get diff() {
      return unifiedDiff({ path: pin.tool, before: shownDefinition(approved), after: shownDefinition(pin) }).diff;
    },
  };
}

function shownDefinition(pin: ToolPin | null): string | null {
  if (pin === null) {
    return null;
  }
  const told = parseKept(pin.definition);
  const ordered = Object.fromEntries(shownOrder.map((name) => [name, told[name]]));
  return `${escapeJson(JSON.stringify(ordered, null, 1))}\n`;
}

/** Empty for a damaged pin: then the whole current tool is a difference. */
function parseKept(definition: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(definition);
  } catch {
    return {};
  }
}
