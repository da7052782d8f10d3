import { writeFileSync } from 'node:fs';
import { FileContextResolver, SystemClock } from '@gemini-mcp/adapters-node';
import type { ContextBundle } from '@gemini-mcp/core';
import { median, repeat, timed } from '../in-turns.ts';
import { residentMegabytes } from '../process-use.ts';
import type { ContextFigures } from '../read-directory.ts';

const [directory = '.', warmRounds = '5'] = process.argv.slice(2);
const clock = new SystemClock();

function read(): Promise<ContextBundle> {
  const resolver = new FileContextResolver({ workingDirectory: directory, roots: [], allowSensitive: false, clock });
  const limits = { maxFiles: 10_000, maxBytes: 100_000_000, deadlineAtMs: clock.now() + 60_000 };
  return resolver.resolve({ files: [], globPatterns: [], directories: ['.'], ...limits }, new AbortController().signal);
}

const before = residentMegabytes('self');
// Makes the kernel measure the peak from here on: see clear_refs in proc(5).
writeFileSync('/proc/self/clear_refs', '5');
const startedAtMs = performance.now();
const { documents, leftOut } = await read();
const firstMs = performance.now() - startedAtMs;
const { peak } = residentMegabytes('self');
const figures: ContextFigures = {
  firstMs,
  warmMs: median(await repeat(Number(warmRounds), () => timed(read))),
  files: documents.length,
  leftOut: leftOut.length,
  megabytes: documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / 1_000_000,
  grownMegabytes: peak - before.now,
};
console.log(JSON.stringify(figures));
