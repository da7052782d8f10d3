import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { askGemini } from '../vercel-ai-tool.ts';

const shared = {
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
};
const input = JSON.stringify({ prompt: 'What does this do?', files: ['src/*.ts'] });

const model = new MockLanguageModelV3({
  doGenerate: [
    {
      ...shared,
      content: [{ type: 'tool-call', toolCallId: 'one', toolName: 'askGemini', input }],
      finishReason: { unified: 'tool-calls', raw: undefined },
    },
    {
      ...shared,
      content: [{ type: 'text', text: 'Gemini has answered.' }],
      finishReason: { unified: 'stop', raw: undefined },
    },
  ],
});

const { steps, text } = await generateText({
  model,
  tools: { askGemini },
  prompt: 'Ask Gemini what this does.',
  stopWhen: stepCountIs(2),
});
for (const { toolResults } of steps) {
  for (const { output } of toolResults) {
    console.log(output);
  }
}
console.log(text);
