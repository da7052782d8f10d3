import { expect, it } from 'vitest';
import { toolDeclarations } from '../tools/tool-declarations.ts';
import { findTool } from './find-tool.ts';

it.each([
  ['gemini_query', 'gemini_query'],
  ['ask-gemini', 'gemini_query'],
  ['geminiQuery', 'gemini_query'],
  ['gemini_chat', 'chat'],
  ['geminiChat', 'geminiChat'],
  ['gemini_chat_reply', 'chat-reply'],
  ['chat_reply', 'chat-reply'],
  ['google_search', 'googleSearch'],
  ['GoogleSearch', 'googleSearch'],
  ['web_search', 'googleSearch'],
  ['search', undefined],
  ['gemini', undefined],
  ['', undefined],
])('finds by %j: %s', (name, found) => {
  expect(findTool(toolDeclarations, name)?.name).toBe(found);
});

it('knows tools of other servers by their own name only, and prefers an own name', () => {
  const tools = [
    { name: 'memory__read_graph' },
    { name: 'chat', otherNames: ['gemini_chat'] },
    { name: 'gemini_chat' },
  ];
  expect(findTool(tools, 'memory_read_graph')).toBeUndefined();
  expect(findTool(tools, 'gemini_chat')).toBe(tools[2]);
});

it('knows no other name that spells a withheld tool', () => {
  const offered = toolDeclarations.filter(({ name }) => name !== 'geminiChat');
  expect(findTool(offered, 'geminiChat')).toBeUndefined();
});

it('has no two tools for one name', () => {
  const names = toolDeclarations.flatMap(({ otherNames = [] }) => otherNames);
  expect(new Set(names).size).toBe(names.length);
});
