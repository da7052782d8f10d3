import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AcpProcessScript, type AcpStep, acpEcho, whenAcpRecorded } from '@gemini-mcp/fake-gemini';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeWarmPlace, type FakeWarmPlace, type FakeWarmPlaceOptions } from './testing/fake-warm-place.ts';

const limits = { silenceMs: 100, answerMs: 2_500, sessionTimeoutMs: 60_000 };

const block: readonly AcpStep[] = [{ do: 'await-file', file: 'now' }, { do: 'block' }];

/** Each process does the same: a call that hangs one would hang the next. */
function script(culprit: readonly AcpStep[]): AcpProcessScript {
  const cases = [
    { contains: 'Culprit', steps: culprit },
    { contains: 'Neighbour', steps: [{ do: 'await-file', file: 'later' }, { do: 'echo' }] as const },
  ];
  return { prompts: [[{ do: 'by-text', cases, otherwise: [{ do: 'echo' }] }]] };
}

let place: FakeWarmPlace | undefined;

async function create(options: FakeWarmPlaceOptions): Promise<FakeWarmPlace> {
  place = await createFakeWarmPlace(options);
  return place;
}

afterEach(async () => {
  const left = await place?.dispose();
  place = undefined;
  expect(left).toEqual([]);
});

/** The culprit's call and a neighbour's on one process, which hangs as soon as both are under way. */
async function askBoth({ ask, directory, whenReported }: FakeWarmPlace) {
  const calls = [ask({ input: 'Neighbour' }), ask({ input: 'Culprit' })];
  await whenAcpRecorded(directory, ([first]) => first?.prompts.length === 2);
  await writeFile(join(directory, 'now'), '');
  await whenReported(({ type }) => type === 'ended');
  await writeFile(join(directory, 'later'), '');
  return Promise.all(calls);
}

describe('a call that hangs its process', () => {
  it('PATTERN-07: is carried once more, alone, as are its neighbours, and then fails as hung', async () => {
    const hostile = script(block);
    const made = await create({ processes: [hostile], limits });
    await made.runner.warmUp({ model: 'gemini-2.5-pro' }, new AbortController().signal);
    const [neighbour, culprit] = await askBoth(made);
    expect(neighbour).toMatchObject({ failure: null, text: acpEcho('Neighbour') });
    expect(culprit).toMatchObject({ failure: 'hung' });
    expect(culprit?.end).toMatchObject({
      failure: { excerpt: 'The Gemini CLI does not answer any more, and was ended.' },
    });
    expect(made.reports.filter(({ type }) => type === 'retried')).toHaveLength(2);
    expect(made.reports.filter(({ type }) => type === 'started')).toHaveLength(3);
    expect([...made.endReasons()].sort()).toEqual(['alone', 'fault', 'fault']);
    expect(await made.ask({ input: 'Another' })).toMatchObject({ failure: null, text: acpEcho('Another') });
  });
});
