import MiniSearch from 'minisearch';

/** The fields of a tool that a search reads. */
export type SearchedTool = {
  readonly server: string;
  readonly tool: string;
  readonly title: string | null;
  readonly description: string;
};

export type SearchToolsOptions<Tool extends SearchedTool> = {
  /** The index is cached for this very array. */
  readonly tools: readonly Tool[];
  /** Words or a name. */
  readonly text: string;
  readonly max: number;
};

/** Limits the server's descriptions and the query. */
const maxDescriptionCharacters = 2_000;
const maxTextCharacters = 300;

type Indexed = { readonly index: MiniSearch; readonly count: number };

const indices = new WeakMap<readonly SearchedTool[], Indexed>();

/**
 * The tools that match a text, best first: by name, server name, title and description, allowing small typos. A tool with exactly that name comes
 * first. Empty if nothing matches; an empty text returns the first of all tools.
 */
export function searchTools<Tool extends SearchedTool>(options: SearchToolsOptions<Tool>): readonly Tool[] {
  const { tools, max } = options;
  const text = options.text.slice(0, maxTextCharacters);
  const words = wordsOf(text);
  if (words.length === 0) {
    return tools.slice(0, max);
  }
  const named = tools.filter(({ tool }) => tool === text.trim());
  const found = indexOf(tools).search(words.join(' '));
  const ranked = found.map(({ id }) => tools[Number(id)]).filter((tool) => tool !== undefined);
  return [...new Set([...named, ...ranked])].slice(0, max);
}

function indexOf(tools: readonly SearchedTool[]): MiniSearch {
  const known = indices.get(tools);
  if (known !== undefined && known.count === tools.length) {
    return known.index;
  }
  const index = new MiniSearch({
    fields: ['tool', 'title', 'server', 'description'],
    tokenize: wordsOf,
    // Keeps MiniSearch from looking up terms in a plain object, where `constructor` has a meaning.
    processTerm: (term) => term,
    searchOptions: {
      boost: { tool: 4, title: 2, server: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(
    tools.map(({ tool, title, server, description }, id) => ({
      id,
      tool: tool.slice(0, maxTextCharacters),
      title: (title ?? '').slice(0, maxTextCharacters),
      server: server.slice(0, maxTextCharacters),
      description: description.slice(0, maxDescriptionCharacters),
    })),
  );
  indices.set(tools, { index, count: tools.length });
  return index;
}

/** Splits names into words: `createIssue`, `create_issue` and `create issue` are equal. */
function wordsOf(text: string): string[] {
  const parted = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return parted.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [];
}
