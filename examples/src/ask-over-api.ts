import { ApiGeminiRunner, findApiLogin } from '@gemini-mcp/adapters-api';
import { createGemini, SystemClock } from '@gemini-mcp/adapters-node';

const geminiBaseUrl = process.env['GOOGLE_GEMINI_BASE_URL'];
const runner = new ApiGeminiRunner({
  login: findApiLogin(process.env),
  clock: new SystemClock(),
  ...(geminiBaseUrl !== undefined && { geminiBaseUrl }),
});
await using gemini = createGemini({ runner });
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text);
await runner.close();
