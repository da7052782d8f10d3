import { createGemini } from '@gemini-mcp/gemini';

const way = process.argv[2] === 'headless' ? 'headless' : 'warm';
await using gemini = createGemini({ way });
const result = await gemini.ask('What is this about?', { directories: ['.'] });
console.log(result.ok ? result.text : result.failure.text);
