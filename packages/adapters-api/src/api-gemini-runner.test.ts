import { describeGeminiRunnerContract, runnerOverOfflineApi } from '@gemini-mcp/port-contracts';
import { ApiGeminiRunner } from './api-gemini-runner.ts';

describeGeminiRunnerContract({
  name: 'ApiGeminiRunner',
  ...runnerOverOfflineApi(
    ({ baseUrl, apiKey, clock }) =>
      new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: baseUrl, clock }),
    (runner) => runner.close(),
  ),
});
