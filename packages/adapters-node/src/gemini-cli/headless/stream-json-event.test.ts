import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseStreamJsonEvent } from './run-recorder.ts';

describe('parseStreamJsonEvent', () => {
  it.each([
    [
      '{"type":"init","timestamp":"2026-11-21T20:46:16.129Z","session_id":"1e65f175-0000-4000-8000-000000000000","model":"gemini-2.5-pro"}',
      { type: 'init' },
    ],
    [
      '{"type":"message","timestamp":"2026-11-21T20:46:16.130Z","role":"user","content":"x \\n"}',
      { type: 'message', role: 'user', content: 'x \n' },
    ],
    [
      '{"type":"message","timestamp":"2026-11-21T20:46:17.130Z","role":"assistant","content":"pre","delta":true}',
      { type: 'message', role: 'assistant', content: 'pre' },
    ],
    [
      '{"type":"tool_use","timestamp":"2026-11-21T20:46:17.131Z","tool_name":"google_web_search","tool_id":"google_web_search__google_web_search_1795293976179_0","parameters":{"query":"abc"}}',
      {
        type: 'tool_use',
        tool_name: 'google_web_search',
        tool_id: 'google_web_search__google_web_search_1795293976179_0',
      },
    ],
    [
      '{"type":"tool_result","timestamp":"2026-11-21T20:46:18.131Z","tool_id":"google_web_search__google_web_search_1795293976179_0","status":"success","output":"Search results for \\"abc\\" returned."}',
      {
        type: 'tool_result',
        tool_id: 'google_web_search__google_web_search_1795293976179_0',
        status: 'success',
        output: 'Search results for "abc" returned.',
      },
    ],
    [
      '{"type":"tool_result","timestamp":"2026-11-21T20:46:18.132Z","tool_id":"t","status":"error","output":"Tool \\"write_file\\" not found.","error":{"type":"tool_not_registered","message":"m"}}',
      {
        type: 'tool_result',
        tool_id: 't',
        status: 'error',
        output: 'Tool "write_file" not found.',
        error: { message: 'm' },
      },
    ],
    [
      '{"type":"tool_result","tool_id":"t","status":"error","output":7,"error":"none"}',
      { type: 'tool_result', tool_id: 't', status: 'error' },
    ],
    [
      '{"type":"error","timestamp":"2026-11-21T20:46:19.131Z","severity":"warning","message":"Loop detected, stopping execution"}',
      { type: 'error', message: 'Loop detected, stopping execution' },
    ],
    [
      '{"type":"result","timestamp":"2026-11-21T20:46:20.131Z","status":"success","stats":{"total_tokens":22165,"input_tokens":22083,"output_tokens":82,"cached":0,"input":22083,"duration_ms":185,"tool_calls":1,"models":{"gemini-2.5-pro":{"total_tokens":16247,"input_tokens":16173,"output_tokens":74,"cached":0,"input":16173}}}}',
      {
        type: 'result',
        status: 'success',
        stats: { models: { 'gemini-2.5-pro': { input_tokens: 16_173, output_tokens: 74, cached: 0 } } },
      },
    ],
    [
      '{"type":"result","timestamp":"2026-11-21T20:46:20.131Z","status":"error","error":{"type":"unknown","message":"[API Error: You have exhausted your daily quota on this model.]\\nPlease wait and try again later."},"stats":{"models":{}}}',
      {
        type: 'result',
        status: 'error',
        error: {
          message: '[API Error: You have exhausted your daily quota on this model.]\nPlease wait and try again later.',
        },
        stats: { models: {} },
      },
    ],
    ['{"type":"result","status":"error"}\r', { type: 'result', status: 'error' }],
  ])('reads %s', (line, event) => {
    expect(parseStreamJsonEvent(line)).toEqual(event);
  });

  it.each([
    '{"type":"result","status":"success","stats":{"models":{"m":{"input_tokens":"many"}}}}',
    '{"type":"result","status":"success","stats":[],"error":"none"}',
    '{"type":"result","status":"success","stats":null,"error":null}',
  ])('keeps a result whose extras it does not know: %s', (line) => {
    expect(parseStreamJsonEvent(line)).toMatchObject({ type: 'result', status: 'success' });
  });

  it.each([
    '',
    'null',
    '[]',
    '"text"',
    '{"type":"init"',
    ' {"type":"init"}',
    '{"type":"init"} x',
    '\ufeff{"type":"init"}',
  ])('rejects %j as an event', (line) => {
    expect(parseStreamJsonEvent(line)).toBeNull();
  });

  it.each([
    '{}',
    '{"type":"unknown"}',
    '{"type":"thought","content":"x"}',
    '{"type":"message","role":"assistant"}',
    '{"type":"message","role":"assistant","content":["x"]}',
    '{"response":"","stats":{"models":{}}}',
    `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  ])('takes %.60s for an event of another kind', (line) => {
    expect(parseStreamJsonEvent(line)).toEqual({ type: 'unknown' });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
          fc.constantFrom('3', '[]', '{"models":[]}', '1e999', '"x'),
        ),
        (line) => {
          for (const text of [line, `{"type":"message",${line}`, `{"type":"result","stats":${line}}`]) {
            expect([undefined, 'unknown']).toContain(parseStreamJsonEvent(text)?.type);
          }
        },
      ),
    );
  });
});
