import {
  escapeControls,
  type ListedPrompt,
  type ListedResource,
  type ListedTool,
  type ServerLists,
} from '@gemini-mcp/core/internal';
import type { Connection, RequestOutcome } from './connection.ts';

export type ListsReading =
  | { readonly type: 'read'; readonly lists: ServerLists }
  /** Reading the tools failed; `detail` says why. */
  | { readonly type: 'failed'; readonly detail: string };

const maxInstructionsCharacters = 20_000;

/**
 * Reads all pages of all lists that a server offers, within bounds. Leaves out entries that are too large or invalid, and lists of prompts and
 * resources that cannot be read.
 */
export async function readLists(connection: Connection, nowMs: number, signal: AbortSignal): Promise<ListsReading> {
  const { capabilities, instructions } = connection;
  const read = async (method: string, member: string, offered: object | undefined): Promise<ListPages> =>
    offered === undefined ? nothing : await readPages(connection, { method, member }, signal);
  const [tools, prompts, resources, templates] = await Promise.all([
    read('tools/list', 'tools', capabilities.tools),
    read('prompts/list', 'prompts', capabilities.prompts),
    read('resources/list', 'resources', capabilities.resources),
    read('resources/templates/list', 'resourceTemplates', capabilities.resources),
  ]);
  if (tools.failure !== null) {
    return { type: 'failed', detail: tools.failure };
  }
  const fit = {
    tools: parseAll<ListedTool>(tools, 'tool', parseTool),
    prompts: parseAll<ListedPrompt>(prompts, 'prompt', parsePrompt),
    resources: parseAll<ListedResource>(resources, 'resource', (value) => parseResource(value, false)),
    templates: parseAll<ListedResource>(templates, 'resource template', (value) => parseResource(value, true)),
  };
  const lists: ServerLists = {
    tools: fit.tools.items,
    prompts: fit.prompts.items,
    resources: [...fit.resources.items, ...fit.templates.items],
    instructions: instructions?.slice(0, maxInstructionsCharacters) ?? null,
    leftOut: [fit.tools, fit.prompts, fit.resources, fit.templates].flatMap(({ leftOut }) => leftOut),
    takenAtMs: nowMs,
  };
  return { type: 'read', lists };
}

const nothing: ListPages = { items: [], leftOut: [], failure: null };

type Parsed<Item> = { readonly items: readonly Item[]; readonly leftOut: readonly string[] };

function parseAll<Item extends { readonly name: string }>(
  { items, leftOut, failure }: ListPages,
  kind: string,
  parse: (value: unknown) => Item | null,
): Parsed<Item> {
  const parsed = items.flatMap((value) => parse(value) ?? []);
  const lost = items.length - parsed.length;
  const why = failure === null ? [] : [`The list of ${kind}s could not be read: ${failure}`];
  const unfit = lost === 0 ? [] : [`${lost} of the ${kind}s: not a valid ${kind} of MCP.`];
  return { items: parsed, leftOut: [...leftOut, ...why, ...unfit] };
}

type ListPages = {
  readonly items: readonly unknown[];
  readonly leftOut: readonly string[];
  /** Why the list could not be read; null if it was read, even if only to a limit. */
  readonly failure: string | null;
};

type PageRequest = {
  readonly method: string;
  /** The member of a page that contains its items. */
  readonly member: string;
};

/** More than anyone chooses among. Each item is shown, searched and saved. */
const maxItems = 2_000;

/** Stops a server that sends empty pages, which never reach `maxItems`. */
const maxPages = 200;

/** One item as JSON: a tool is a name, a description and two schemas. */
const maxItemCharacters = 256_000;
const maxTotalCharacters = 8_000_000;
const maxSaidCharacters = 300;

/** Reads a list page by page until it ends, repeats itself, or reaches a limit. Never rejects. */
async function readPages(connection: Connection, request: PageRequest, signal: AbortSignal): Promise<ListPages> {
  const { method, member } = request;
  const pages = new Pages(method);
  let cursor: string | null = null;
  do {
    const params: Readonly<Record<string, unknown>> = cursor === null ? {} : { cursor };
    // One signal per page: the SDK never removes its listener.
    const outcome = await connection.request({ method, params }, AbortSignal.any([signal]));
    if (outcome.type !== 'answered') {
      return pages.failed(describeFault(outcome, method));
    }
    const items = outcome.result[member];
    if (!Array.isArray(items)) {
      return pages.failed(`Its answer to ${method} has no list of ${member}.`);
    }
    cursor = pages.add(items, outcome.result['nextCursor']);
  } while (cursor !== null);
  return pages.read();
}

function describeFault(outcome: Exclude<RequestOutcome, { readonly type: 'answered' }>, method: string): string {
  switch (outcome.type) {
    case 'error':
      return `It answered ${method} with an error: ${escapeControls(outcome.message.slice(0, maxSaidCharacters))}`;
    case 'unreadable':
      return outcome.detail;
    case 'lost':
      return outcome.failure.detail;
    case 'login-wanted':
      return 'It requires a login.';
    case 'not-offered':
      return `It does not declare ${method}.`;
    case 'aborted':
      return `It did not answer ${method} in time.`;
  }
}

class Pages {
  readonly #method: string;
  readonly #items: unknown[] = [];
  readonly #leftOut: string[] = [];
  readonly #cursors = new Set<string>();
  #characters = 0;
  #pages = 0;
  #tooLarge = 0;

  constructor(method: string) {
    this.#method = method;
  }

  /** Adds a page and returns the cursor of the next; null at the end or at a limit. */
  add(items: readonly unknown[], next: unknown): string | null {
    this.#pages += 1;
    for (const item of items) {
      if (this.#items.length >= maxItems || this.#characters > maxTotalCharacters) {
        return this.#stop(`its list is longer than ${maxItems} entries or ${maxTotalCharacters / 1_000_000} MB`);
      }
      this.#take(item);
    }
    if (typeof next !== 'string' || next === '') {
      return null;
    }
    if (this.#cursors.has(next)) {
      return this.#stop('its pages repeat');
    }
    this.#cursors.add(next);
    return this.#pages < maxPages ? next : this.#stop(`it has more than ${maxPages} pages`);
  }

  read(): ListPages {
    const large = this.#tooLarge === 0 ? [] : [`${this.#method}: ${this.#tooLarge} entries are too large.`];
    return { items: this.#items, leftOut: [...this.#leftOut, ...large], failure: null };
  }

  failed(why: string): ListPages {
    return { items: [], leftOut: [], failure: why };
  }

  #take(item: unknown): void {
    const length = jsonLength(item);
    if (length > maxItemCharacters) {
      this.#tooLarge += 1;
      return;
    }
    this.#characters += length;
    this.#items.push(item);
  }

  #stop(why: string): null {
    this.#leftOut.push(`${this.#method}: the rest was not read, because ${why}.`);
    return null;
  }
}

/** Infinite for JSON nested too deeply to be written. */
function jsonLength(item: unknown): number {
  try {
    return JSON.stringify(item).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

type Members = Readonly<Record<string, unknown>>;

const maxNameCharacters = 1_000;

/** Null for an invalid tool. A tool without a schema takes any object. */
function parseTool(value: unknown): ListedTool | null {
  const members = asMembers(value);
  const name = nameOf(members);
  if (members === null || name === null) {
    return null;
  }
  return {
    name,
    title: textOf(members['title']) ?? textOf(asMembers(members['annotations'])?.['title']),
    description: textOf(members['description']) ?? '',
    inputSchema: asMembers(members['inputSchema']) ?? { type: 'object' },
    outputSchema: asMembers(members['outputSchema']),
    annotations: asMembers(members['annotations']) ?? {},
  };
}

/** Null for an invalid prompt. */
function parsePrompt(value: unknown): ListedPrompt | null {
  const members = asMembers(value);
  const name = nameOf(members);
  if (members === null || name === null) {
    return null;
  }
  const listed: unknown = members['arguments'];
  return {
    name,
    title: textOf(members['title']),
    description: textOf(members['description']) ?? '',
    arguments: (Array.isArray(listed) ? listed : []).flatMap((one: unknown) => {
      const argument = asMembers(one);
      const argumentName = nameOf(argument);
      return argumentName === null
        ? []
        : [
            {
              name: argumentName,
              description: textOf(argument?.['description']) ?? '',
              isRequired: argument?.['required'] === true,
            },
          ];
    }),
  };
}

/** Null for an invalid resource, or with `isTemplate` for an invalid resource template. */
function parseResource(value: unknown, isTemplate: boolean): ListedResource | null {
  const members = asMembers(value);
  const uri = textOf(members?.[isTemplate ? 'uriTemplate' : 'uri']);
  if (members === null || uri === null || uri === '') {
    return null;
  }
  return {
    uri,
    isTemplate,
    name: nameOf(members) ?? uri,
    title: textOf(members['title']),
    description: textOf(members['description']) ?? '',
    mediaType: textOf(members['mimeType']),
  };
}

function nameOf(members: Members | null): string | null {
  const name = textOf(members?.['name']);
  return name === null || name === '' || name.length > maxNameCharacters ? null : name;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function asMembers(value: unknown): Members | null {
  return isMembers(value) ? value : null;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
