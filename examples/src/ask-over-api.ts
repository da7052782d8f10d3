import { createGemini } from '@gemini-mcp/gemini';

await using gemini = createGemini({ backend: 'api' });
const result = await gemini.ask('What does this do?', { files: ['src/**/*.ts'] });
console.log(result.ok ? result.text : result.failure.text);
