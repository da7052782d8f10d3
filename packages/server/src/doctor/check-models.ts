import { failureAdvice, failureReason, type ModelChain, type ModelList } from '@gemini-mcp/core';
import { describeRetirement, nearestName } from '@gemini-mcp/core/internal';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';

export type CheckModelsOptions = {
  readonly modelChain: ModelChain;
  readonly nowMs: number;
  /** Those that the Gemini API knows; null where it is not asked. */
  readonly list: ModelList | null;
};

const name = 'Models';

/** Whether Google serves the models of the chain, by the dates that are known and by what the API says itself. */
export function checkModels({ modelChain, nowMs, list }: CheckModelsOptions): Check {
  const retired = modelChain.flatMap((model) => describeRetirement(model, nowMs) ?? []);
  if (retired.length > 0) {
    return { name, status: 'warn', found: retired.join(' '), fix: 'Take them out of GEMINI_MCP_MODELS.' };
  }
  const chain = modelChain.join(', ');
  return list === null ? { name, status: 'ok', found: chain, fix: null } : checkAgainst(list, modelChain);
}

function checkAgainst(list: ModelList, modelChain: ModelChain): Check {
  const chain = modelChain.join(', ');
  if (!list.ok) {
    const { failure } = list;
    return {
      name,
      status: failure.kind === 'authentication' ? 'fail' : 'warn',
      found: `${chain}. The Gemini API did not say which models it knows: ${failureReason(failure, serverFailureWords)}`,
      fix: failureAdvice(failure, 'query', serverFailureWords),
    };
  }
  const known = list.models.map((model) => model.name);
  const unknown = modelChain.filter((model) => !known.includes(model));
  return unknown.length === 0
    ? { name, status: 'ok', found: `${chain}, all known to the Gemini API`, fix: null }
    : {
        name,
        status: 'warn',
        found: `the Gemini API does not know ${unknown.map((model) => suggest(model, known)).join(', ')}`,
        fix: 'Set GEMINI_MCP_MODELS to models that it knows. Calls go on to the next model of the chain.',
      };
}

function suggest(model: string, known: readonly string[]): string {
  const nearest = nearestName(model, known);
  return nearest === null ? model : `${model} (did you mean ${nearest}?)`;
}
