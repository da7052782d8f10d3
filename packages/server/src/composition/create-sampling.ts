import { createKeyedBoundary } from '@gemini-mcp/adapters-node';
import { AskGemini, type AskGeminiOptions, createNoFilesResolver } from '@gemini-mcp/core';
import { BudgetedSampling, type ServerSampling } from '@gemini-mcp/core/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Observers } from './observers.ts';

export type SamplingParts = Pick<AskGeminiOptions, 'clock' | 'runner' | 'modelChain' | 'queue'> & {
  readonly configuration: Pick<Configuration, 'serverSampling'>;
  readonly observers: Pick<Observers, 'onOtherServer'>;
};

/** Of one server in an hour. */
const maxTokens = 200_000;

/** Lets other servers ask Gemini, where the operator wants that; undefined where not. */
export function createSampling({ configuration, observers, ...parts }: SamplingParts): ServerSampling | undefined {
  const { serverSampling: maxQuestions } = configuration;
  if (maxQuestions === 0) {
    return undefined;
  }
  const askGemini = new AskGemini({
    ...parts,
    resolver: createNoFilesResolver('another server may read no files'),
    random: Math.random,
    boundaryOf: createKeyedBoundary(),
  });
  return new BudgetedSampling({ clock: parts.clock, askGemini, maxQuestions, maxTokens, log: observers.onOtherServer });
}
