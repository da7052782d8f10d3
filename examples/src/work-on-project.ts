import type { Approver } from '@gemini-mcp/core';
import { createGemini } from '@gemini-mcp/gemini';

/** Consents to nothing. Yours would show `question` to a person, and return what they choose. */
const approver: Approver = {
  ask: async (question) => {
    console.error(`Refused: ${question.reason}`);
    return { type: 'answered', answer: 'no' };
  },
};

await using gemini = createGemini();

const seen = await gemini.ask('What does this project do?', { directory: '.' });
console.log(seen.ok ? seen.text : seen.failure.text);

const worked = await gemini.work('Add a README that says what this project does.', { mode: 'edit', approver });
console.log(worked.ok ? worked.text : worked.failure.text);
for (const { path } of worked.account?.changes?.files ?? []) {
  console.log(path);
}

if (worked.account !== null && process.argv.includes('--undo')) {
  const undone = await gemini.undo(worked.account.runId);
  console.log(undone.found ? `${undone.paths.length} paths put back` : 'nothing to undo');
}
