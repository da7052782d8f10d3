import { SystemClock } from '@gemini-mcp/adapters-node';
import { createGemini } from '@gemini-mcp/gemini';
import { RestGeminiRunner } from '../rest-gemini-runner.ts';

const runner = new RestGeminiRunner({
  baseUrl: process.env['GOOGLE_GEMINI_BASE_URL'] ?? '',
  apiKey: process.env['GEMINI_API_KEY'] ?? '',
  clock: new SystemClock(),
});
await using gemini = createGemini({ runner });
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text);
