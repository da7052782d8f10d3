import type { ConversationTurn } from '@gemini-mcp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Conversation, conversationDigest } from './conversation-digest.ts';

const turn: fc.Arbitrary<ConversationTurn> = fc.record({
  role: fc.constantFrom('user', 'model'),
  // What the digest itself puts between turns, in all places.
  text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', '\nuser 0\n', 'user 1\na', '\nmodel 3\nabc')),
});

const conversation: fc.Arbitrary<Conversation> = fc.record({
  turns: fc.array(turn, { maxLength: 4 }),
  scope: fc.constantFrom('', '/a', '/b', 'null', '"\n', '"\nuser 0\n'),
});

describe('conversationDigest', () => {
  it('is the same for the same conversation, and no other has it', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, conversation, async (one, other) => {
        const areSame = JSON.stringify(one) === JSON.stringify(other);
        expect(conversationDigest(structuredClone(one))).toBe(conversationDigest(one));
        expect(conversationDigest(one) === conversationDigest(other)).toBe(areSame);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, readonly ConversationTurn[], readonly ConversationTurn[]]>([
    [
      'a turn in two',
      [{ role: 'user', text: 'ab' }],
      [
        { role: 'user', text: 'a' },
        { role: 'user', text: 'b' },
      ],
    ],
    ['another speaker', [{ role: 'user', text: 'a' }], [{ role: 'model', text: 'a' }]],
    ['an empty turn more', [], [{ role: 'user', text: '' }]],
    [
      'a turn that spells two',
      [{ role: 'user', text: 'a\nmodel 1\nb' }],
      [
        { role: 'user', text: 'a' },
        { role: 'model', text: 'b' },
      ],
    ],
    ['halves of a pair', [{ role: 'user', text: '\ud800' }], [{ role: 'user', text: '\ufffd' }]],
  ])('distinguishes %s', (_, one, other) => {
    const digestOf = (turns: readonly ConversationTurn[]) => conversationDigest({ turns, scope: '' });
    expect(digestOf(one)).not.toBe(digestOf(other));
  });

  it('lists the scopes, without any of the conversation', () => {
    const turns = [{ role: 'user', text: 'CANARY' }] as const;
    const digests = ['null', '"/a"', '"null"'].map((scope) => conversationDigest({ turns, scope }));
    expect(new Set(digests).size).toBe(3);
    expect(digests.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
  });
});
