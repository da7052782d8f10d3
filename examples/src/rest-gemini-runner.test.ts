import { describeGeminiRunnerContract, runnerOverOfflineApi } from '@gemini-mcp/port-contracts';
import { RestGeminiRunner } from './rest-gemini-runner.ts';

describeGeminiRunnerContract({
  name: 'RestGeminiRunner',
  ...runnerOverOfflineApi((place) => new RestGeminiRunner(place)),
});
