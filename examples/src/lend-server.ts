import { fileURLToPath } from 'node:url';
import type { Approver } from '@gemini-mcp/core';
import { createGemini } from '@gemini-mcp/gemini';

/** Consents to one tool. Yours would show `question` to a person, and return what they choose. */
const approver: Approver = {
  ask: async ({ subject }) => {
    const isKnown = subject.type === 'tool' && subject.server === 'everything' && subject.tool === 'get-sum';
    return { type: 'answered', answer: isKnown ? 'once' : 'no' };
  },
};

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

await using gemini = createGemini({
  mcpServers: { everything: { command: process.execPath, args: [program], includeTools: ['get-sum', 'echo'] } },
});

const result = await gemini.ask('Add 19 and 23 with the tool.', { servers: ['everything'], approver });
console.log(result.ok ? result.text : result.failure.text);
for (const notice of result.ok ? (result.notices ?? []) : []) {
  console.log(notice);
}
