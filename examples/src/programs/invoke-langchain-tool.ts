import { askGemini } from '../langchain-tool.ts';

console.log(await askGemini.invoke({ prompt: 'What does this do?', files: ['src/*.ts'] }));
