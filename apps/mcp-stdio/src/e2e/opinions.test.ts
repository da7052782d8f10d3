import { byModel, type RecordedRequest, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerSetup } from './server-setup.ts';

const answers = {
  'gemini-4-carbon': 'Use a lock. Two writers can race on the file, and the later one wins.',
  'gemini-4-argon': 'No lock is needed, because a rename is atomic. Two writers can race on the file.',
  'gemini-3.8-flash': 'A rename is not atomic on NFS.',
};
const [lock, rename, nfs] = Object.values(answers);

const comparison = {
  points: [
    {
      kind: 'contradiction',
      statement: 'Is a rename atomic?',
      rests_on: [
        { answer: 2, says: 'Yes.', quote: 'because a rename is atomic' },
        { answer: 3, says: 'Not on NFS.', quote: 'A rename is not atomic on NFS.' },
      ],
    },
    {
      kind: 'agreement',
      statement: 'Two writers can race.',
      rests_on: [
        { answer: 1, says: 'They can.', quote: 'Two writers can race on the file' },
        { answer: 2, says: 'They can.', quote: 'Two writers can race on the file' },
        { answer: 3, says: 'They can.', quote: 'Two writers can race on NFS' },
      ],
    },
    {
      kind: 'only-one',
      statement: 'The later write wins.',
      rests_on: [{ answer: 1, says: 'The later one wins.', quote: 'the later one wins' }],
    },
    {
      kind: 'agreement',
      statement: 'A lock is slow.',
      rests_on: [1, 2].map((answer) => ({ answer, says: 'It is slow.', quote: 'a lock costs time' })),
    },
  ],
};

let setup: ServerSetup;

beforeEach(async () => {
  setup = await ServerSetup.create();
});

afterEach(async () => {
  expect(await setup.leftovers()).toEqual([]);
  await setup.dispose();
});

function isComparison({ body }: RecordedRequest): boolean {
  return JSON.stringify(body).includes('responseJsonSchema');
}

it('three models answer one question, and a comparison tells their agreements and contradictions in words that they wrote', async () => {
  const answer = byModel(
    Object.fromEntries(Object.entries(answers).map(([model, said]) => [model, text(said)])),
    text(''),
  );
  setup.api.reply((request, index) =>
    isComparison(request) ? text(JSON.stringify(comparison)) : answer(request, index),
  );
  const server = await setup.startWithoutCli();
  const { result } = await server.request('tools/call', {
    name: 'gemini_query',
    arguments: { prompt: 'Is a lock needed?', opinions: 3 },
  });
  const opinions = setup.api.requests.filter((request) => !isComparison(request));
  expect(opinions.map(({ userText }) => userText)).toEqual(Array(3).fill(['Is a lock needed?']));
  expect(setup.api.requests).toHaveLength(4);
  const { content, structuredContent } = Object(result);
  expect(structuredContent).toMatchObject({
    opinions: [
      { number: 1, model: 'gemini-4-carbon', answer: lock },
      { number: 2, model: 'gemini-4-argon', answer: rename },
      { number: 3, model: 'gemini-3.8-flash', answer: nfs },
    ],
    comparison: {
      agreements: [{ statement: 'Two writers can race.', positions: [{ answer: 1 }, { answer: 2 }] }],
      onlyOne: [{ statement: 'The later write wins.', positions: [{ answer: 1 }] }],
      contradictions: [{ statement: 'Is a rename atomic?', positions: [{ answer: 2 }, { answer: 3 }] }],
      dropped: { quotes: 3, points: 1, unusable: 0 },
    },
  });
  expect(content[0].text).toContain('Answers contradict each other (1):\n1. Answer 2, 3\n| Is a rename atomic?');
});
