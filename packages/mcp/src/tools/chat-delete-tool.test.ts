import { describe, expect, it } from 'vitest';
import { cannotAsk } from '../questions/call-questions.ts';
import { ConnectedTools } from '../testing/connected-tools.ts';
import { createChatDeleteTool } from './chat-delete-tool.ts';

const never = '0f8fad5b-d9cb-469f-a165-70867728950e';

async function begin(tools: ConnectedTools): Promise<string> {
  const { meta } = await tools.call('chat', { prompt: 'Hello' });
  return String(meta?.['sessionId']);
}

describe('chat-delete', () => {
  it('deletes a conversation, which no reply goes on with', async () => {
    const tools = new ConnectedTools();
    const sessionId = await begin(tools);
    expect(await tools.call('chat-delete', { sessionId })).toMatchObject({
      isError: false,
      text: 'The conversation is deleted. A running reply is still answered, but not saved.',
    });
    expect(await tools.call('chat-reply', { prompt: 'two', sessionId })).toMatchObject({ isError: true });
    expect(await tools.call('chat-delete', { sessionId })).toMatchObject({
      isError: true,
      text: 'Unknown conversation: it was deleted, has expired, or the id is wrong.\nYou have no conversations.',
    });
  });

  it("SHARE-09: has the same words for another owner's id and one that never was, and deletes nothing", async () => {
    const tools = new ConnectedTools();
    const sessionId = await begin(tools);
    const bob = await tools.connect('bob');
    const stolen = await tools.call('chat-delete', { sessionId }, { client: bob });
    expect(stolen).toEqual(await tools.call('chat-delete', { sessionId: never }, { client: bob }));
    expect(stolen).toMatchObject({ isError: true, text: expect.stringMatching(/^Unknown conversation/) });
    expect(await tools.call('chat-reply', { prompt: 'two', sessionId })).toMatchObject({ isError: false });
  });

  it('lists the newest conversations if an id is unknown', async () => {
    const tools = new ConnectedTools();
    const sessionId = await begin(tools);
    const { text } = await tools.call('chat-delete', { sessionId: never });
    expect(text).toContain(`The newest:\n  - ${sessionId} "Hello" (2 turns, `);
  });

  it('a reply that is under way is answered, says that it is not kept, and does not bring the conversation back', async () => {
    const { signal } = new AbortController();
    const tools = new ConnectedTools({
      script: (_, index) => {
        // The second run is the reply's: it has loaded the conversation by then.
        const deleting = index === 1 ? tools.sessions.delete('alice', sessionId, signal) : null;
        deletions.push(deleting);
        return { chunks: ['The answer.'] };
      },
    });
    const deletions: unknown[] = [];
    const sessionId = await begin(tools);
    const reply = tools.call('chat-reply', { prompt: 'two', sessionId });
    const { text, isError } = await reply;
    expect(await Promise.all(deletions)).toEqual([null, { deleted: true }]);
    expect(isError).toBe(false);
    expect(text).toContain('was not saved, so chat-reply cannot continue it: the session was deleted in the meantime');
    expect(await tools.sessions.list('alice', 10, signal)).toEqual([]);
  });

  it('gives the reason if the store cannot delete', async () => {
    const sessions = {
      delete: async () => ({ deleted: false, reason: 'unavailable', detail: 'the disk failed (EIO)' }) as const,
      list: async () => [],
    };
    const { signal } = new AbortController();
    const context = {
      signal,
      ask: async () => cannotAsk('transport-cannot'),
      progress: () => undefined,
      clientName: null,
      owner: 'ann',
    };
    expect(await createChatDeleteTool({ sessions }).run({ sessionId: never }, context)).toEqual({
      text: 'The conversation could not be deleted: the disk failed (EIO). It is as it was.',
      isError: true,
      detail: { type: 'refused', reason: 'not-deleted' },
    });
  });
});
