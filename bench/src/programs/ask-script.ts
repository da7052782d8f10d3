import { createGemini } from '@gemini-mcp/gemini';

await using gemini = createGemini({ way: 'warm' });
const result = await gemini.ask('What is this about?', { directories: ['.'] });
console.log(result.ok ? result.text : result.failure.text);
