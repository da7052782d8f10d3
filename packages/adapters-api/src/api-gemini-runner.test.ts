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

describeGeminiRunnerContract({
  name: 'ApiGeminiRunner without a login of its own',
  ...runnerOverOfflineApi(
    ({ baseUrl, clock }) => new ApiGeminiRunner({ login: null, geminiBaseUrl: baseUrl, clock }),
    (runner) => runner.close(),
  ),
});
