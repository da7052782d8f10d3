import { createGemini } from '@gemini-mcp/gemini';

const backend = process.argv[2] === 'headless' ? 'headless' : 'warm';
await using gemini = createGemini({ backend });
const result = await gemini.ask('What is this about?', { directories: ['.'] });
console.log(result.ok ? result.text : result.failure.text);
