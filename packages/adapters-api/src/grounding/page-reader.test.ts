import { expect, it } from 'vitest';
import { PageReader } from './page-reader.ts';

const read = 'URL_RETRIEVAL_STATUS_SUCCESS';

function pagesOf(urls: readonly string[], ...told: readonly (readonly [unknown, unknown])[]): PageReader['pages'] {
  const reader = new PageReader(urls);
  reader.add({ urlMetadata: told.map(([retrievedUrl, urlRetrievalStatus]) => ({ retrievedUrl, urlRetrievalStatus })) });
  return reader.pages;
}

it.each([
  [read, 'read'],
  ['URL_RETRIEVAL_STATUS_PAYWALL', 'paywall'],
  ['URL_RETRIEVAL_STATUS_UNSAFE', 'unsafe'],
  ['URL_RETRIEVAL_STATUS_ERROR', 'failed'],
  ['URL_RETRIEVAL_STATUS_OF_THE_FUTURE', 'failed'],
  [undefined, 'failed'],
])('calls %s %s', (status, outcome) => {
  expect(pagesOf([], ['https://a.example/', status])).toEqual([{ url: 'https://a.example/', outcome }]);
});

it('names a page as the request does, where the address is the same', () => {
  expect(
    pagesOf(['https://A.example', 'https://b.example/x'], ['https://a.example/', read], ['https://c.example/', read]),
  ).toEqual([
    { url: 'https://A.example', outcome: 'read' },
    { url: 'https://c.example/', outcome: 'read' },
  ]);
});

it('keeps the last report of a page, once', () => {
  const reader = new PageReader([]);
  reader.add({
    urlMetadata: [{ retrievedUrl: 'https://a.example/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' }],
  });
  reader.add({ urlMetadata: [{ retrievedUrl: 'https://a.example/', urlRetrievalStatus: read }] });
  expect(reader.pages).toEqual([{ url: 'https://a.example/', outcome: 'read' }]);
});

it('skips anything but web addresses, and unexpected forms', () => {
  expect(pagesOf([], ['javascript:x', read], [7, read], ['https://a b', read])).toEqual([]);
  const reader = new PageReader([]);
  reader.add({ urlMetadata: [null, 'x', []] });
  reader.add({ urlMetadata: 'x' });
  expect(reader.pages).toEqual([]);
});

it('bounds the pages that it keeps', () => {
  const reader = new PageReader([]);
  for (const round of [0, 1]) {
    reader.add({
      urlMetadata: Array.from({ length: 500 }, (_, index) => ({ retrievedUrl: `https://a.example/${round}/${index}` })),
    });
  }
  expect(reader.pages).toHaveLength(100);
});
