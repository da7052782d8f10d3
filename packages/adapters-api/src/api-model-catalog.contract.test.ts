import { type CatalogSituation, describeModelCatalogContract } from '@gemini-mcp/port-contracts';
import { ApiModelCatalog } from './api-model-catalog.ts';
import { RawServer } from './testing/raw-server.ts';
import { wallClock } from './testing/wall-clock.ts';

const apiKey = 'AIzaKeyOfThisTest';
const pageSize = 1_000;

/** What the API answers for the page that begins at a model; null for nothing at all. */
function pageOf(situation: CatalogSituation, start: number): { readonly status: number; readonly body: object } | null {
  switch (situation.type) {
    case 'tells': {
      const { names } = situation;
      const models = names.slice(start, start + pageSize).map((name) => ({ name: `models/${name}` }));
      const more = start + pageSize < names.length;
      return { status: 200, body: { models, ...(more && { nextPageToken: String(start + pageSize) }) } };
    }
    case 'fails':
      return { status: 403, body: { error: { code: 403, message: `The key ${apiKey} may not.` } } };
    case 'hangs':
      return null;
  }
}

describeModelCatalogContract({
  name: 'ApiModelCatalog',
  create: async (situation) => {
    let asked = 0;
    let onAsked = (): void => undefined;
    const server = await RawServer.start((message, response) => {
      asked += 1;
      onAsked();
      const start = Number(new URLSearchParams(message.url?.split('?')[1]).get('pageToken') ?? 0);
      const page = pageOf(situation, start);
      if (page !== null) {
        response.writeHead(page.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(page.body));
      }
    });
    const login = { type: 'gemini-key', apiKey } as const;
    return {
      catalog: new ApiModelCatalog({ login, clock: wallClock, geminiBaseUrl: server.url }),
      secret: apiKey,
      whenAsked: (count) =>
        new Promise((resolve) => {
          onAsked = () => {
            if (asked >= count) {
              resolve();
            }
          };
          onAsked();
        }),
      whenLeft: () => server.allClosed(),
      close: () => server.close(),
    };
  },
});
