import { readdirSync, readFileSync } from 'node:fs';
import type { FailureKind } from '@gemini-mcp/core';
import { recordedErrors, recordedStreams } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { classifyOutcome } from './classify-outcome.ts';
import { type FailureSource, failureSources } from './testing/failure-sources.ts';

const directory = new URL('./recorded/', import.meta.url);
const sources = ['headless', 'warm', 'api'] as const;
const kinds = Object.keys(failureSources) as readonly FailureKind[];

type Sample = { readonly source: FailureSource; readonly name: string; readonly kind: FailureKind };

/** The remains of the CLI, as the rules read them. */
const ofTheCli = readdirSync(directory).flatMap((file): readonly Sample[] => {
  const { outcome } = JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
  const failure = classifyOutcome(outcome);
  const name = file.replace(/\.json$/, '');
  return failure === null
    ? []
    : [{ source: name.startsWith('session-') ? 'warm' : 'headless', name, kind: failure.kind }];
});

/** What APIs say, as its own tests hold it against `readGoogleError` and `endOfAnswer`. */
const ofTheApi = Object.entries({ ...recordedErrors, ...recordedStreams }).map(
  ([name, { failure }]): Sample => ({ source: 'api', name, kind: failure.kind }),
);

const samples: readonly Sample[] = [...ofTheCli, ...ofTheApi];

function samplesOf(kind: FailureKind, source: FailureSource): readonly string[] {
  return samples.filter((sample) => sample.kind === kind && sample.source === source).map(({ name }) => name);
}

function cellOf(kind: FailureKind, source: FailureSource): string {
  const names = samplesOf(kind, source);
  return names.length === 0
    ? `*${failureSources[kind][source]}*`
    : names
        .map((name) => `\`${name.replace(/^session-/, '')}\``)
        .sort()
        .join(', ');
}

const introduction = `# Where failures come from

On this page you look up which recorded cases belong to a [kind of failure](troubleshooting.md#kinds-of-failure).

The columns are the sources that a failure is read from: a [CLI process for one request](../packages/adapters-node/src/gemini-cli/reading/recorded), the
CLI's session mode (\`session-…\` in the same directory), and [answers of Google's APIs](../packages/port-contracts/src/offline-api/samples). The samples of
the CLI are recorded from the real one, except for those whose \`source\` is \`fake cli\`. The samples of APIs are written after answers that people met, and
each says where.

A cell in italics says why a source has no sample of a kind. [A test](../packages/adapters-node/src/gemini-cli/reading/failure-coverage.test.ts)
writes this page, and fails if a cell is neither filled nor decided.`;

describe('every kind of failure, and every source that can say it', () => {
  it.each(kinds.flatMap((kind) => sources.map((source) => ({ kind, source }))))(
    '$kind of $source has a sample, or a reason for lacking one',
    ({ kind, source }) => {
      const hasReason = failureSources[kind][source] !== null;
      expect(samplesOf(kind, source).length > 0).toBe(!hasReason);
    },
  );

  it('matches docs/failures.md', async () => {
    const rows = kinds.map((kind) => `| \`${kind}\` | ${sources.map((source) => cellOf(kind, source)).join(' | ')} |`);
    const head = ['| Kind | The CLI, one request | The CLI, session mode | APIs of Google |', '|---|---|---|---|'];
    const page = [introduction, '', ...head, ...rows, ''].join('\n');
    await expect(page).toMatchFileSnapshot('../../../../../docs/failures.md');
  });
});
