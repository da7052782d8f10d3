import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { presentTool } from '../handlers/loaded-surface.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';

/** In the order in which clients get them. */
const tools = new ConnectedTools().tools.map(presentTool).toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Key words, and the tool that they must find first. */
const keyWords: readonly (readonly [string, string])[] = [
  ['ask gemini', 'gemini_query'],
  ['ask gemini about files', 'gemini_query'],
  ['gemini large files', 'gemini_query'],
  ['gemini second opinion', 'gemini_query'],
  ['gemini second opinion code', 'gemini_query'],
  ['gemini code review', 'gemini_query'],
  ['gemini plan bug', 'gemini_query'],
  ['gemini context tokens', 'gemini_context'],
  ['rest of a long answer', 'gemini_read'],
  ['wait for a background job', 'gemini_job'],
  ['start a conversation with gemini', 'chat'],
  ['chat with gemini', 'chat'],
  ['continue conversation', 'chat-reply'],
  ['delete conversation', 'chat-delete'],
  ['gemini explore directory', 'geminiChat'],
  ['gemini agent', 'gemini_agent'],
  ['gemini agent task', 'gemini_agent'],
  ['undo', 'gemini_undo'],
  ['undo gemini run', 'gemini_undo'],
  ['gemini web search', 'googleSearch'],
  ['google search', 'googleSearch'],
];

/** Here Claude Code has ties, or finds the small words in names, such as the "on" in "context". It is not built for sentences. */
const phrases: readonly (readonly [string, string])[] = [
  ['gemini', 'gemini_query'],
  ['ask gemini to read many large files', 'gemini_query'],
  ['second opinion on code with gemini', 'gemini_query'],
  ['let gemini review this plan', 'gemini_query'],
  ['how many tokens would gemini_query send', 'gemini_context'],
  ['let gemini explore the working directory', 'geminiChat'],
  ['search the web with google', 'googleSearch'],
];

/** Names of tools, best first, by BM25: most clients and frameworks with a search for tools use it. */
function searchByText(query: string): readonly string[] {
  const index = new MiniSearch({ idField: 'name', fields: ['name', 'title', 'description'] });
  index.addAll(tools);
  return index.search(query).map(({ id }) => String(id));
}

/**
 * The rule of Claude Code 2.1.330, which loads a tool of a server only after a search: parts of names count most, and words of
 * the description two each. It does not look at titles.
 */
function searchAsClaudeCode(query: string): readonly string[] {
  const words = query.toLowerCase().split(/\s+/);
  return tools
    .map(({ name, description = '' }) => ({ name, score: scoreInClaudeCode(words, name, description.toLowerCase()) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

function scoreInClaudeCode(words: readonly string[], toolName: string, description: string): number {
  const names = ['gemini', toolName.toLowerCase()];
  const parts = names.flatMap((name) => name.split(/[\s_.]+/));
  const scores = words.map(
    (word) =>
      partScore(parts, word, { whole: 12, part: 6 }) +
      partScore(names, word, { whole: 12, part: 4 }) +
      (new RegExp(`\\b${word}\\b`).test(description) ? 2 : 0),
  );
  return scores.reduce((sum, score) => sum + score, 0);
}

function partScore(parts: readonly string[], word: string, { whole, part }: { whole: number; part: number }): number {
  if (parts.includes(word)) {
    return whole;
  }
  return parts.some((one) => one.includes(word)) ? part : 0;
}

describe('a search for tools finds first', () => {
  it.each([...keyWords, ...phrases])('for "%s", by BM25, %s', (query, name) => {
    expect(searchByText(query)[0]).toBe(name);
  });

  it.each(keyWords)('for "%s", in Claude Code, %s', (query, name) => {
    expect(searchAsClaudeCode(query)[0]).toBe(name);
  });

  it.each(phrases)('for "%s", in Claude Code, %s among the five that it loads', (query, name) => {
    expect(searchAsClaudeCode(query).slice(0, 5)).toContain(name);
  });
});
