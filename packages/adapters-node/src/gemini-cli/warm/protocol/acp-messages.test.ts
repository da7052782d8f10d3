import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAcpAgent, parseAcpPromptEnd, parseAcpSession, parseAcpUpdate } from './acp-messages.ts';

describe('parseAcpAgent', () => {
  it("reads the CLI's description of itself", () => {
    const result = {
      protocolVersion: 1,
      authMethods: [{ id: 'gemini-api-key', name: 'Gemini API key' }],
      agentInfo: { name: 'gemini-cli', title: 'Gemini CLI', version: '0.61.0' },
      agentCapabilities: { loadSession: true, promptCapabilities: { image: true } },
    };
    expect(parseAcpAgent(result)).toEqual({ canLoadSessions: true });
  });

  it('takes missing capabilities as unsupported', () => {
    const agent = { canLoadSessions: false };
    expect(parseAcpAgent({ protocolVersion: 1 })).toEqual(agent);
    expect(parseAcpAgent({ protocolVersion: 1, agentInfo: 'me', agentCapabilities: 7 })).toEqual(agent);
  });
});

describe('parseAcpSession', () => {
  it('reads the id and nothing else', () => {
    expect(parseAcpSession({ sessionId: 's-1', modes: {} })).toEqual({ sessionId: 's-1' });
  });

  it.each([{}, { sessionId: '' }, { sessionId: 7 }, { sessionId: 'x'.repeat(201) }])(
    'finds %j unreadable',
    (result) => {
      expect(parseAcpSession(result)).toBe('unreadable');
    },
  );
});

describe('parseAcpPromptEnd', () => {
  const usage = { model: 'gemini-2.5-pro', token_count: { input_tokens: 12, output_tokens: 3 } };

  it('reads why it ended and what each model took', () => {
    const result = { stopReason: 'end_turn', _meta: { quota: { token_count: {}, model_usage: [usage] } } };
    expect(parseAcpPromptEnd(result)).toEqual({
      stopReason: 'end_turn',
      models: [{ model: 'gemini-2.5-pro', inputTokens: 12, outputTokens: 3 }],
    });
  });

  it.each([undefined, null, {}, { quota: { model_usage: [{ model: 'x' }] } }])(
    'does without statistics: %j',
    (_meta) => {
      expect(parseAcpPromptEnd({ stopReason: 'cancelled', _meta })).toEqual({ stopReason: 'cancelled', models: [] });
    },
  );
});

describe('parseAcpUpdate', () => {
  const text = { type: 'text', text: 'Good morning' };

  it.each([
    [
      { sessionUpdate: 'agent_message_chunk', content: text },
      { kind: 'agent-message', text: 'Good morning' },
    ],
    [
      { sessionUpdate: 'user_message_chunk', content: text },
      { kind: 'user-message', text: 'Good morning' },
    ],
    [{ sessionUpdate: 'agent_thought_chunk', content: text }, { kind: 'other' }],
    [{ sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: '' } }, { kind: 'other' }],
    [{ sessionUpdate: 'available_commands_update', availableCommands: [] }, { kind: 'other' }],
    [
      { sessionUpdate: 'tool_call', toolCallId: 'read_file__1', status: 'in_progress', title: 'a.ts', kind: 'read' },
      { kind: 'tool-call', toolCallId: 'read_file__1', status: 'in_progress', text: '' },
    ],
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'read_file__1',
        status: 'failed',
        content: [
          { type: 'diff', path: 'a.ts' },
          { type: 'content', content: text },
        ],
      },
      { kind: 'tool-call-update', toolCallId: 'read_file__1', status: 'failed', text: 'Good morning' },
    ],
    [
      { sessionUpdate: 'tool_call_update', toolCallId: 'read_file__1', content: null },
      { kind: 'tool-call-update', toolCallId: 'read_file__1', status: '', text: '' },
    ],
  ])('reads %j', (update, expected) => {
    expect(parseAcpUpdate(update)).toEqual(expected);
  });

  it.each([
    [null],
    [{}],
    [{ sessionUpdate: 'agent_message_chunk' }],
    [{ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 7 } }],
    [{ sessionUpdate: 'tool_call', status: 'pending' }],
  ])('finds %j unreadable', (update) => {
    expect(parseAcpUpdate(update)).toEqual({ kind: 'other' });
  });
});

describe('every parser', () => {
  const kind = fc.constantFrom('agent_message_chunk', 'user_message_chunk', 'tool_call', 'tool_call_update', 'new');
  const content = fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom('text', 'image'), text: fc.jsonValue() }));

  it('has an answer to whatever comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), kind, content, (value, sessionUpdate, inside) => {
        for (const parse of [parseAcpAgent, parseAcpSession, parseAcpPromptEnd, parseAcpUpdate]) {
          expect(parse(value)).toBeDefined();
        }
        expect(parseAcpUpdate({ sessionUpdate, content: inside, toolCallId: value })).toHaveProperty('kind');
      }),
    );
  });
});
