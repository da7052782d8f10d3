import { describe, expect, it } from 'vitest';
import { presentTool } from '../handlers/loaded-surface.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';
import { type RankTools, rankAsClaudeCode, rankAsCodex, rankAsQwenCode } from './testing/client-rankings.ts';
import { searchSentences } from './testing/search-sentences.ts';

/** In the order in which clients get them. */
const capabilities = { thinking: true, urls: true, flexibleTier: true };
const tools = new ConnectedTools({ capabilities }).tools
  .map(presentTool)
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Key words, and the tool that they must find first. */
const keyWords: readonly (readonly [string, string])[] = [
  ['ask gemini', 'gemini_query'],
  ['ask gemini about files', 'gemini_query'],
  ['gemini large files', 'gemini_query'],
  ['gemini second opinion', 'gemini_query'],
  ['gemini second opinion code', 'gemini_query'],
  ['gemini code review', 'gemini_review'],
  ['gemini review diff', 'gemini_review'],
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
  ['ask gemini to read many large files', 'gemini_query'],
  ['second opinion on code with gemini', 'gemini_query'],
  ['let gemini review my branch', 'gemini_review'],
  ['second opinion on this plan', 'gemini_query'],
  ['how many tokens would gemini_query send', 'gemini_context'],
  ['let gemini explore the working directory', 'geminiChat'],
  ['search the web with google', 'googleSearch'],
];

describe('a search for tools finds first', () => {
  it.each([...keyWords, ...phrases])('for "%s", by BM25, %s', (query, name) => {
    expect(rankAsCodex(tools, query)[0]).toBe(name);
  });

  it.each(keyWords)('for "%s", in Claude Code, %s', (query, name) => {
    expect(rankAsClaudeCode(tools, query)[0]).toBe(name);
  });

  it.each(phrases)('for "%s", in Claude Code, %s among the five that it loads', (query, name) => {
    expect(rankAsClaudeCode(tools, query).slice(0, 5)).toContain(name);
  });
});

type Client = {
  readonly name: string;
  readonly rank: RankTools;
  /** The sentences that found the right tool before descriptions and hints were written for search. */
  readonly before: number;
};

const clients: readonly Client[] = [
  { name: 'Claude Code', rank: rankAsClaudeCode, before: 31 },
  { name: 'Codex', rank: rankAsCodex, before: 28 },
  { name: 'Qwen Code', rank: rankAsQwenCode, before: 29 },
];

const atLeast = 55;

function missed({ rank }: Client): readonly string[] {
  return searchSentences
    .filter(({ sentence, tool }) => rank(tools, sentence)[0] !== tool)
    .map(({ sentence }) => sentence);
}

describe('sixty sentences of users', () => {
  it.each(clients)('find the right tool first in $name at least 55 times', (client) => {
    expect(searchSentences).toHaveLength(60);
    expect(missed(client).length, missed(client).join('; ')).toBeLessThanOrEqual(60 - atLeast);
  });

  it('docs/generated/tool-search.md shows the ranks (`npx vitest run packages/mcp --update` writes it)', async () => {
    const counts = clients.map(
      (client) => `| ${client.name} | ${client.before} of 60 | ${60 - missed(client).length} of 60 |`,
    );
    const rows = searchSentences.map(({ sentence, tool }) => {
      const ranks = clients.map(({ rank }) => describeRank(rank(tools, sentence), tool));
      return `| ${sentence} | ${tool} | ${ranks.join(' | ')} |`;
    });
    const page = [
      '# Search for tools',
      'Claude Code, Codex and Qwen Code show their model the tools of a server only after a search. Each has a ranking of its own; `packages/mcp/src/tools/testing/client-rankings.ts` has models of the three. The tables count the sentences of users for which the right tool of this server comes first, without the little words that a model leaves out of a query.',
      '`gemini_query` is loaded at once in clients that read `anthropic/alwaysLoad`. Here it is ranked like the others.',
      ['| client | before | now |', '|---|---|---|', ...counts].join('\n'),
      [`| sentence | tool | ${clients.map(({ name }) => name).join(' | ')} |`, '|---|---|---|---|---|', ...rows].join(
        '\n',
      ),
      'The test `packages/mcp/src/tools/tool-search.test.ts` writes this page: do not edit it by hand.',
    ].join('\n\n');
    await expect(`${page}\n`).toMatchFileSnapshot('../../../../docs/generated/tool-search.md');
  });
});

function describeRank(ranked: readonly string[], tool: string): string {
  const place = ranked.indexOf(tool);
  return place === 0
    ? 'first'
    : place === -1
      ? 'not found'
      : `${place + 1}, after ${ranked.slice(0, place).join(', ')}`;
}
