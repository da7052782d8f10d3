import { FileContextResolver, SystemClock } from '@gemini-mcp/adapters-node';
import type { ContextBundle } from '@gemini-mcp/core';
import { resetPeak, residentMemory } from '../resident-memory.ts';
import { Series } from '../series.ts';

const [directory = '.', warmRounds = '5'] = process.argv.slice(2);
const clock = new SystemClock();

async function read(): Promise<{ readonly bundle: ContextBundle; readonly durationMs: number }> {
  const startedAt = performance.now();
  const resolver = new FileContextResolver({ workingDirectory: directory, roots: [], allowSensitive: false, clock });
  const bundle = await resolver.resolve(
    {
      files: [],
      globPatterns: [],
      directories: ['.'],
      maxFiles: 10_000,
      maxBytes: 100_000_000,
      deadlineAtMs: clock.now() + 60_000,
    },
    new AbortController().signal,
  );
  return { bundle, durationMs: performance.now() - startedAt };
}

const before = residentMemory('self');
if (before !== null) {
  resetPeak();
}
const first = await read();
const after = residentMemory('self');

const warm = new Series();
for (let round = 0; round < Number(warmRounds); round += 1) {
  warm.add((await read()).durationMs);
}

const { documents, leftOut } = first.bundle;
console.log(
  JSON.stringify({
    firstMs: first.durationMs,
    warmMs: warm.median,
    files: documents.length,
    bytes: documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    leftOut: leftOut.length,
    growthBytes: before === null || after === null ? null : after.peak - before.now,
  }),
);
