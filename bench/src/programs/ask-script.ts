import { createGemini } from '@gemini-mcp/adapters-node';

await using gemini = createGemini();
const result = await gemini.ask('What is this about?', { directories: ['.'] });
console.log(result.ok ? result.text : result.failure.text);
