import { expect, it } from 'vitest';
import { loopbackVariables, serverSetting, sessionServer } from './model-tools.ts';

const toolSession = { url: 'http://127.0.0.1:7/r/a', token: '0f' };

it('names the address of a run in the settings of a run and in the parameters of a session', () => {
  expect(serverSetting(toolSession)).toEqual({
    lend: { type: 'http', url: toolSession.url, headers: { Authorization: 'Bearer 0f' }, timeout: 600_000 },
  });
  expect(sessionServer('http://127.0.0.1:1/a')).toEqual({
    type: 'http',
    name: 'lend',
    url: 'http://127.0.0.1:1/a',
    headers: [],
  });
});

it.each([
  [{}, { NO_PROXY: '127.0.0.1,localhost' }],
  [{ NO_PROXY: '' }, { NO_PROXY: '127.0.0.1,localhost' }],
  [{ NO_PROXY: 'a.example' }, { NO_PROXY: 'a.example,127.0.0.1,localhost' }],
  [
    { NO_PROXY: 'a.example', no_proxy: 'b.example' },
    { NO_PROXY: 'a.example,127.0.0.1,localhost', no_proxy: 'b.example,127.0.0.1,localhost' },
  ],
])('keeps proxies of %o away from loopback', (environment, variables) => {
  expect(loopbackVariables(environment)).toEqual(variables);
});
