import { expect, it } from 'vitest';
import { proxiesOf } from './proxies-of.ts';

it.each([
  [{}, { http: null, https: null, except: null }],
  [
    { HTTP_PROXY: 'http://a', HTTPS_PROXY: 'http://b', NO_PROXY: 'c' },
    { http: 'http://a', https: 'http://b', except: 'c' },
  ],
  [
    { http_proxy: 'http://a', https_proxy: 'http://b', no_proxy: 'c', HTTPS_PROXY: 'http://other' },
    { http: 'http://a', https: 'http://b', except: 'c' },
  ],
  [
    { http_proxy: 'proxy:8080', https_proxy: 'ada:secret@127.0.0.1:3128' },
    { http: 'http://proxy:8080', https: 'http://ada:secret@127.0.0.1:3128', except: null },
  ],
  [
    { https_proxy: '', HTTPS_PROXY: 'http://b' },
    { http: null, https: null, except: null },
  ],
])('%j', (environment, proxies) => {
  expect(proxiesOf(environment)).toEqual(proxies);
});
