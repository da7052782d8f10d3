import { expect, it } from 'vitest';
import type { ToldEvent } from '../cli-transport.ts';
import { withoutToolCalls } from './model-tools.ts';

it('leaves out calls that the endpoint reports, and reports calls that the CLI refused itself', () => {
  const text: ToldEvent = { type: 'text', text: 'mcp_lend_look' };
  const search: ToldEvent = { type: 'tool', name: 'google_web_search', phase: 'failed', detail: 'no' };
  expect(
    withoutToolCalls([
      { type: 'tool', name: 'mcp_lend_look', phase: 'started' },
      text,
      { type: 'tool', name: 'mcp_lend_look', phase: 'succeeded' },
      { type: 'tool', name: 'mcp_lend_put', phase: 'started' },
      { type: 'tool', name: 'mcp_lend_put', phase: 'failed', detail: 'n must be a number' },
      search,
    ]),
  ).toEqual([
    text,
    { type: 'tool', name: 'put', phase: 'started' },
    { type: 'tool', name: 'put', phase: 'failed', detail: 'n must be a number' },
    search,
  ]);
});
