import { type FailureWords, failureAdvice } from '@gemini-mcp/core';
import { findClient } from '../clients/client-forms.ts';
import { serverFailureWords } from './server-failure-words.ts';

/** Failure messages for the user of the client that starts this server. For a missing variable they say where this client sets it. */
export function clientFailureWords(clientName: string | null): FailureWords {
  const client = findClient(clientName);
  if (client === null) {
    return serverFailureWords;
  }
  const { passVariable } = client;
  const key = passVariable('GEMINI_API_KEY');
  return {
    ...serverFailureWords,
    advice: {
      ...serverFailureWords.advice,
      authentication: (failure) => `${failureAdvice(failure, 'query', serverFailureWords)} ${key}`,
      'tier-retired': (failure) => `${failureAdvice(failure, 'query', serverFailureWords)} ${key}`,
      'cli-missing': (failure) =>
        `${failureAdvice(failure, 'query', serverFailureWords)} ${passVariable('GEMINI_MCP_CLI')}`,
    },
  };
}
