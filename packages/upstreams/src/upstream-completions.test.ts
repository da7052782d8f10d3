import type { ArgumentCompletion } from '@gemini-mcp/core/internal';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UpstreamsPlace } from './testing/upstreams-place.ts';

const never = new AbortController().signal;
let place: UpstreamsPlace;

beforeEach(async () => {
  place = new UpstreamsPlace();
  await place.open();
});

afterEach(() => place.close());

const given = { department: 'Sales' };
const ofPrompt: ArgumentCompletion = {
  type: 'completion',
  of: 'prompt',
  name: 'team',
  argument: 'member',
  value: 'A',
  given,
};

function complete(asks: ArgumentCompletion) {
  const request = { server: 's', asks, deadlineAtMs: Number.MAX_SAFE_INTEGER, questions: null };
  return place.upstreams().of('ada').request(request, never);
}

it('passes the completion request on in the form of the protocol', async () => {
  place.configure({ s: place.odd('completes') });
  const argument = { name: 'member', value: 'A' };
  const heard = (params: object) => ({
    type: 'answered',
    result: { completion: { values: [JSON.stringify(params)] } },
  });
  expect(await complete(ofPrompt)).toEqual(
    heard({ ref: { type: 'ref/prompt', name: 'team' }, argument, context: { arguments: given } }),
  );
  expect(await complete({ ...ofPrompt, of: 'template', name: 'demo://{member}', given: {} })).toEqual(
    heard({ ref: { type: 'ref/resource', uri: 'demo://{member}' }, argument }),
  );
});

it('does not call a server that does not declare completions', async () => {
  place.configure({ s: place.odd('none') });
  expect(await complete(ofPrompt)).toEqual({ type: 'error', message: 'It does not offer this method.' });
  expect(await place.heard()).not.toContain('completes');
});
