import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offeredName } from '@gemini-mcp/fake-gemini';
import { functionAnswersIn } from '@gemini-mcp/port-contracts';
import { type AnswerReply, dailyQuota, type RecordedRequest, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerProcess } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let server: ServerProcess;

beforeEach(async () => {
  setup = await ServerSetup.create();
  await writeFile(join(setup.project, 'a.txt'), 'one\n');
  server = await setup.start({ GEMINI_MCP_RUNNER: 'api' });
});

afterEach(() => setup.dispose());

/** A turn that the API refuses (HTTP 400) if it gets it back as it came: empty texts, and a call without a signature. */
function unsignedCall(request: RecordedRequest): AnswerReply {
  const functionCall = { name: offeredName(request, 'view_file'), args: { file_path: 'a.txt' } };
  const parts = [{ text: '' }, { text: 'I look.' }, { functionCall }, { text: '' }];
  return { kind: 'answer', finishReason: 'STOP', chunks: parts.map((part) => ({ parts: [part] })) };
}

/** Turns of the model that brought results of calls, in requests that went on with them. */
function answered(): readonly RecordedRequest[] {
  return setup.api.requests.filter((request) => functionAnswersIn(request).length > 0);
}

describe('turns of the model that would be refused as they came', () => {
  it('are sent back in a run of gemini_agent', async () => {
    setup.api.reply((request) => (functionAnswersIn(request).length < 2 ? unsignedCall(request) : text('Seen twice.')));
    const result = await server.call('gemini_agent', { task: 'Look twice.', mode: 'plan' });
    expect(result).toMatchObject({ isError: false, text: expect.stringContaining('Seen twice.') });
    expect(answered()).toHaveLength(2);
  });

  it('are sent back in a conversation, in each exchange', async () => {
    setup.api.reply((request) => (functionAnswersIn(request).length === 0 ? unsignedCall(request) : text('Seen.')));
    const first = await server.call('chat', { prompt: 'Look.', cwd: setup.project });
    const { sessionId } = first.meta ?? {};
    const second = await server.call('chat-reply', { prompt: 'Look again.', sessionId });
    for (const result of [first, second]) {
      expect(result).toMatchObject({ isError: false, text: expect.stringContaining('Seen.') });
    }
    expect(answered()).toHaveLength(2);
  });

  it('are sent back by the model that goes on after another one was refused in the middle', async () => {
    let refused: string | null = null;
    setup.api.reply((request) => {
      if (functionAnswersIn(request).length === 0) {
        return unsignedCall(request);
      }
      refused ??= request.model;
      return request.model === refused ? dailyQuota() : text('Seen by another.');
    });
    const result = await server.call('gemini_agent', { task: 'Look.', mode: 'plan' });
    expect(result).toMatchObject({ isError: false, text: expect.stringContaining('Seen by another.') });
    expect(new Set(answered().map(({ model }) => model)).size).toBe(2);
  });
});
