import { createKeyedBoundary } from '@gemini-mcp/adapters-node';
import { AskGemini, createNoFilesResolver } from '@gemini-mcp/core';
import { BudgetedSampling, type ServerSampling } from '@gemini-mcp/core/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { ResolvePart } from './server-parts.ts';

/** Of one server in an hour. */
const maxTokens = 200_000;

/** Lets other servers ask Gemini, where the operator wants that; undefined where not. */
export function createSampling(
  { serverSampling: maxQuestions }: Pick<Configuration, 'serverSampling'>,
  part: ResolvePart,
): ServerSampling | undefined {
  if (maxQuestions === 0) {
    return undefined;
  }
  const clock = part('clock');
  const askGemini = new AskGemini({
    clock,
    runner: part('runner'),
    modelChain: part('modelChain'),
    queue: part('queue'),
    resolver: createNoFilesResolver('another server may read no files'),
    random: Math.random,
    boundaryOf: createKeyedBoundary(),
  });
  return new BudgetedSampling({ clock, askGemini, maxQuestions, maxTokens, log: part('observers').onOtherServer });
}
