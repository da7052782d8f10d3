import { readFile } from 'node:fs/promises';
import { fitToolSchema, nameTool } from '@gemini-mcp/hub';
import { findFunctionRefusal } from '@gemini-mcp/port-contracts/offline-api';
import { type Benchmark, figureBelow } from '../benchmark.ts';
import { Series } from '../series.ts';
import { makeHostileSchemas } from './make-hostile-schemas.ts';

const recorded = new URL('../../../packages/hub/src/input-schema/recorded/tool-schemas.json', import.meta.url);

const corpus = 1_000;
const names = 100_000;

/** V8 has compiled what is used by then. */
const roundsBefore = 2;

/** Schemas of real servers and hostile ones, made fit for the Gemini API or set aside; and names for a hundred thousand tools. */
export const hubSchemas: Benchmark = {
  name: 'hub-schemas',
  defaultRounds: 5,
  run: async (_, rounds) => {
    const { tools } = JSON.parse(await readFile(recorded, 'utf8'));
    const real: readonly unknown[] = tools.map(({ schema }: { readonly schema: unknown }) => schema);
    const schemas = [...real, ...makeHostileSchemas(corpus - real.length)];
    schemas.forEach(expectFitOrReason);
    const times = schemas.map(() => new Series());
    for (let round = -roundsBefore; round < rounds; round += 1) {
      schemas.forEach((schema, index) => {
        const startedAt = performance.now();
        fitToolSchema(schema);
        const durationMs = performance.now() - startedAt;
        if (round >= 0) {
          times[index]?.add(durationMs);
        }
      });
    }
    const each = new Series();
    for (const time of times) {
      each.add(time.median);
    }
    return [
      {
        what: `A schema of ${corpus} made fit or set aside: p50`,
        unit: 'ms',
        baseline: null,
        ours: each.median,
        target: null,
      },
      {
        what: 'The same: the one that takes longest',
        unit: 'ms',
        baseline: null,
        ours: each.greatest,
        target: figureBelow(5),
      },
      { what: `Names for ${names} tools, all different`, unit: 'ms', baseline: null, ours: timeNames(), target: null },
    ];
  },
};

function expectFitOrReason(schema: unknown, index: number): void {
  const fit = fitToolSchema(schema);
  const refusal = fit.fits
    ? findFunctionRefusal({ name: 'a', description: '', parametersJsonSchema: fit.schema })
    : fit.reason === '' && 'no reason';
  if (refusal !== null && refusal !== false) {
    throw new Error(`Schema ${index}: ${refusal}`);
  }
}

function timeNames(): number {
  const startedAt = performance.now();
  const seen = new Set<string>();
  for (let index = 0; index < names; index += 1) {
    seen.add(nameTool({ server: `server ${index % 97}`, tool: `do_${index}`.repeat(1 + (index % 9)) }, 'gemini'));
  }
  if (seen.size !== names) {
    throw new Error(`${names - seen.size} names are equal to others`);
  }
  return performance.now() - startedAt;
}
