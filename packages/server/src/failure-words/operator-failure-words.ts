import { type FailureWords, failureAdvice, type GeminiFailure } from '@gemini-mcp/core';
import { serverFailureWords } from './server-failure-words.ts';

/** Words on failures for clients of a server that someone else runs: they say what only its operator can change. */
export const operatorFailureWords: FailureWords = {
  ...serverFailureWords,
  advice: {
    ...serverFailureWords.advice,
    authentication: (failure) =>
      failure.problem === 'missing'
        ? tellOperator(failure)
        : `If the call had a key of its own (\`apiKey\`), check that key. Otherwise: ${tellOperator(failure)}`,
    'tier-retired': tellOperator,
    'cli-missing': tellOperator,
  },
};

function tellOperator(failure: GeminiFailure): string {
  return `Only the operator of this server can change this, where and as the user that it runs. ${failureAdvice(failure, 'query', serverFailureWords)}`;
}
