import type { Grounding, RunEvent, WebPage } from '@gemini-mcp/core';
import { changingEvents, changingRequests, type RunnerMutant, textIn } from './runner-mutant.ts';

/** `text` is all of the answer. */
function changingGrounding(change: (grounding: Grounding, text: string) => Grounding): RunnerMutant['mutate'] {
  return (right) => ({
    run: async function* run(request, signal) {
      let text = '';
      for await (const event of right.run(request, signal)) {
        text += textIn(event);
        yield event.type === 'grounding' ? { ...event, grounding: change(event.grounding, text) } : event;
      }
    },
  });
}

function changingPages(change: (pages: readonly WebPage[]) => readonly WebPage[]): RunnerMutant['mutate'] {
  return changingEvents((event) => [event.type === 'pages' ? { ...event, pages: change(event.pages) } : event]);
}

/** Tells what the run before told, where there was one. */
const groundingOfBefore: RunnerMutant['mutate'] = (right, clock) => {
  let before: RunEvent | null = null;
  return changingEvents((event) => {
    if (event.type !== 'grounding') {
      return [event];
    }
    const told = before ?? event;
    before = event;
    return [told];
  })(right, clock);
};

/** Tells with the usage of a run what became of the pages of the last one that named some. */
const pagesOfBefore: RunnerMutant['mutate'] = (right, clock) => {
  let before: readonly RunEvent[] = [];
  return changingEvents((event, { urls }) => {
    before = event.type === 'pages' ? [event] : before;
    return event.type === 'usage' && urls === undefined ? [event, ...before] : [event];
  })(right, clock);
};

function places(grounding: Grounding, change: (unit: number) => number): Grounding {
  const supports = grounding.supports.map(({ start, end, sources }) => ({
    start: change(start),
    end: change(end),
    sources,
  }));
  return { ...grounding, supports };
}

/** What they tell of searches and of pages of the web. */
export const runnerWebMutants: readonly RunnerMutant[] = [
  {
    name: 'no-grounding',
    wrong: 'does not tell what a search found',
    mutate: changingEvents((event) => (event.type === 'grounding' ? [] : [event])),
  },
  {
    name: 'grounding-twice',
    wrong: 'tells twice what a search found',
    mutate: changingEvents((event) => (event.type === 'grounding' ? [event, event] : [event])),
  },
  {
    name: 'grounding-in-bytes',
    wrong: 'passes on places in bytes of UTF-8',
    mutate: changingGrounding((grounding, text) => places(grounding, (unit) => Buffer.byteLength(text.slice(0, unit)))),
  },
  {
    name: 'grounding-in-characters',
    wrong: 'counts places in characters',
    mutate: changingGrounding((grounding, text) => places(grounding, (unit) => [...text.slice(0, unit)].length)),
  },
  {
    name: 'loses-sources',
    wrong: 'tells what was searched for, and no sources',
    mutate: changingGrounding(({ queries }) => ({ queries, sources: [], supports: [] })),
  },
  {
    name: 'loses-supports',
    wrong: 'does not tell which words rest on which source',
    mutate: changingGrounding((grounding) => ({ ...grounding, supports: [] })),
  },
  {
    name: 'mixes-up-sources',
    wrong: 'counts sources from one',
    mutate: changingGrounding((grounding) => ({
      ...grounding,
      supports: grounding.supports.map((support) => ({
        ...support,
        sources: support.sources.map((place) => place + 1),
      })),
    })),
  },
  {
    name: 'hides-redirects',
    wrong: "takes redirects of Google's for the addresses of pages",
    mutate: changingGrounding((grounding) => ({
      ...grounding,
      sources: grounding.sources.map((source) => ({ ...source, isRedirect: false })),
    })),
  },
  {
    name: 'hides-searches',
    wrong: 'does not tell that the tool has searched',
    mutate: changingEvents((event) => (event.type === 'tool' ? [] : [event])),
  },
  {
    name: 'grounding-of-another-run',
    wrong: 'tells what the search of the run before found',
    mutate: groundingOfBefore,
  },
  {
    name: 'grounding-without-search',
    wrong: 'tells of a search in each run',
    mutate: changingEvents((event) =>
      event.type === 'usage'
        ? [event, { type: 'grounding', grounding: { queries: [], sources: [], supports: [] } }]
        : [event],
    ),
  },
  {
    name: 'drops-urls',
    wrong: 'leaves out the addresses of pages',
    mutate: changingRequests(({ urls: _, ...request }) => request),
  },
  {
    name: 'first-url-only',
    wrong: 'has the first page read alone',
    mutate: changingRequests(({ urls = [], ...request }) => ({ ...request, urls: urls.slice(0, 1) })),
  },
  {
    name: 'urls-in-message',
    wrong: 'writes addresses into the message',
    mutate: (right) => ({
      run: (request, signal) =>
        right.run({ ...request, input: `${(request.urls ?? []).join('\n')}${request.input}` }, signal),
    }),
  },
  {
    name: 'no-pages',
    wrong: 'does not tell what became of pages',
    mutate: changingEvents((event) => (event.type === 'pages' ? [] : [event])),
  },
  {
    name: 'all-pages-read',
    wrong: 'tells of each page that it was read',
    mutate: changingPages((pages) => pages.map(({ url }) => ({ url, outcome: 'read' }))),
  },
  {
    name: 'read-pages-only',
    wrong: 'tells nothing of pages that were not read',
    mutate: changingPages((pages) => pages.filter(({ outcome }) => outcome === 'read')),
  },
  {
    name: 'pages-of-another-run',
    wrong: 'tells what became of the pages of the run before',
    mutate: pagesOfBefore,
  },
];
