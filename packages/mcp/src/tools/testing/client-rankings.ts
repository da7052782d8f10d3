import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { SurfaceTool } from '../../handlers/loaded-surface.ts';

/** The names of tools that a client's search finds for some words, best first. */
export type RankTools = (tools: readonly SurfaceTool[], words: string) => readonly string[];

/** The server's name in the client's settings. */
const server = 'gemini';

/** The words that Qwen Code leaves out of a query. The models of the other two clients search by key words, so that these are missing there too. */
const stopWords: ReadonlySet<string> = new Set(
  'a about an and are as at be by can could did do does for from have how i in is it let me my not of on or please should that the then there these this those to use was were what which with would you your'.split(
    ' ',
  ),
);

function keyWordsOf(words: string): readonly string[] {
  return words
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}_.+#-]+|[^\p{L}\p{N}_.+#-]+$/gu, ''))
    .filter((word) => word.length > 1 && !stopWords.has(word));
}

/** A client's points for one word. */
type Score = (tool: SurfaceTool, word: string) => number;

function rankBy(score: Score): RankTools {
  return (tools, words) => {
    const keyWords = keyWordsOf(words);
    return tools
      .map((tool) => ({ name: tool.name, points: keyWords.reduce((sum, word) => sum + score(tool, word), 0) }))
      .filter(({ points }) => points > 0)
      .toSorted((one, other) => other.points - one.points)
      .map(({ name }) => name);
  };
}

/** ToolSearch of Claude Code 2.1.330: names by their parts, then `anthropic/searchHint`, then the description. It reads no titles. */
export const rankAsClaudeCode: RankTools = rankBy(({ name, description, _meta = {} }, word) => {
  const names = [server, name.toLowerCase()];
  const parts = names.flatMap((each) => each.split(/[\s_.]+/));
  const isWord = new RegExp(`\\b${escapeRegExp(word)}\\b`, 'i');
  return (
    pointsOfName(parts, word, { whole: 12, part: 6 }) +
    pointsOfName(names, word, { whole: 12, part: 4 }) +
    (isWord.test(String(_meta['anthropic/searchHint'] ?? '')) ? 4 : 0) +
    (isWord.test(description) ? 2 : 0)
  );
});

/** ToolSearch of Qwen Code 0.24: names by their ends, then the description. Its hint for each tool is the server's name. */
export const rankAsQwenCode: RankTools = rankBy(({ name, description }, word) => {
  const variants = qwenActions.includes(word) ? qwenActions : [word];
  const full = `mcp__${server}__${name}`.toLowerCase();
  const isAlias = variants.some((variant) => variant !== word && full.includes(variant));
  const ofName = variants.map((variant) => (full.endsWith(`_${variant}`) ? 12 : full.includes(variant) ? 6 : 0));
  return (
    Math.max(...ofName) +
    (word === server ? 4 : 0) +
    (variants.some((variant) => description.toLowerCase().includes(variant)) ? 2 : 0) +
    (isAlias ? 6 : 0)
  );
});

const qwenActions: readonly string[] = ['cancel', 'delete', 'remove', 'stop', 'clear'];

/** The tool_search of Codex 0.169: BM25 over English stems of names, title, description and the names of the arguments. */
export const rankAsCodex: RankTools = (tools, words) => {
  const index = new MiniSearch<{ readonly name: string; readonly text: string }>({
    idField: 'name',
    fields: ['text'],
    tokenize: (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [],
    processTerm: (term) => (stopWords.has(term) ? null : stemmer(term)),
    searchOptions: { bm25: { k: 1.2, b: 0.75, d: 0 } },
  });
  index.addAll(tools.map((tool) => ({ name: tool.name, text: codexText(tool) })));
  return index.search(words).map(({ id }) => String(id));
};

function codexText({ name, title, description, inputSchema }: SurfaceTool): string {
  const properties = Object.keys(inputSchema.properties ?? {}).toSorted();
  return [`mcp__${server}__${name}`, name, name, server, title, description, ...properties].join(' ');
}

function pointsOfName(
  names: readonly string[],
  word: string,
  { whole, part }: { readonly whole: number; readonly part: number },
): number {
  if (names.includes(word)) {
    return whole;
  }
  return names.some((name) => name.includes(word)) ? part : 0;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
