import { defaultModelChain } from '@gemini-mcp/core';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace();

/** Those of the API's own chain that the CLI has never heard of: it may be given them when it takes over a request. */
const unknownToTheCli = ['gemini-4-carbon', 'gemini-4-argon'];

it.each([...defaultModelChain, ...unknownToTheCli])(
  'the real CLI asks for %s by this name, and for no other model (MODEL-03)',
  async (model) => {
    given.api.reply(text('ok'));
    const { failure, requests } = await given.place.run({ model });
    expect(failure).toBeNull();
    expect(requests.map((request) => request.model)).toEqual([model]);
  },
);
