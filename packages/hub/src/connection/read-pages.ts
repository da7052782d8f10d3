import { escapeControls } from '@gemini-mcp/core/internal';
import type { CallEnd } from './call-end.ts';
import type { RequestOutcome, ServerConnection } from './server-connection.ts';

export type ListPages = {
  readonly items: readonly unknown[];
  readonly leftOut: readonly string[];
  /** Why the list could not be read; null where it was, or the beginning of one without end. */
  readonly failure: string | null;
};

export type PageRequest = {
  readonly method: string;
  /** The member of a page that holds its items. */
  readonly member: string;
};

/** More than anyone chooses among, and each is shown, searched and kept. */
const maxItems = 2_000;

/** Of a page with no items there may be many without reaching `maxItems`. */
const maxPages = 200;

/** Of one item, as JSON: a tool is a name, a description and two schemas. */
const maxItemCharacters = 256_000;
const maxTotalCharacters = 8_000_000;
const maxSaidCharacters = 300;

/** Reads a list page by page until it ends, goes round in circles, or is longer than anybody needs. Never rejects. */
export async function readPages(connection: ServerConnection, request: PageRequest, end: CallEnd): Promise<ListPages> {
  const { method, member } = request;
  const pages = new Pages(method);
  let cursor: string | null = null;
  do {
    const params: Readonly<Record<string, unknown>> = cursor === null ? {} : { cursor };
    const outcome = await connection.request({ method, params }, end);
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
      return 'It wants a login.';
    case 'not-offered':
      return `It does not say that it answers ${method}.`;
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

  /** Takes a page. The cursor of the next one, null where there is none or it is not to be asked for. */
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
      return this.#stop('its pages go round in circles');
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
    this.#leftOut.push(`${this.#method}: what follows was not read, because ${why}.`);
    return null;
  }
}

/** Infinite for what is too deep to be written. */
function jsonLength(item: unknown): number {
  try {
    return JSON.stringify(item).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
