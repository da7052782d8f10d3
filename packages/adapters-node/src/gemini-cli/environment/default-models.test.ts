import { defaultModelChain } from '@gemini-mcp/core';
import { text } from '@gemini-mcp/port-contracts/offline-api';
import { expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const given = useRealCliPlace();

it.each(defaultModelChain)(
  'the real CLI asks for %s by this name, and for no other model (MODEL-03)',
  async (model) => {
    given.api.reply(text('ok'));
    const { failure, requests } = await given.place.run({ model });
    expect(failure).toBeNull();
    expect(requests.map((request) => request.model)).toEqual([model]);
  },
);
