import { geminiCliUnderTest } from '@gemini-mcp/fake-gemini';
import { type RecordedRequest, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { createSoakDirectory, createSoakRunner, removeSoakDirectory, type SoakPhase } from './soak-phase.ts';

/** The real CLI over an offline API that answers at once. */
export async function realPhase(calls: number): Promise<SoakPhase> {
  const root = await createSoakDirectory();
  const api = await startOfflineGeminiApi({
    reply: (request) => text(answerTo(questionOf(request))),
    maxRecorded: 1,
  });
  return {
    name: 'the real CLI over an offline API',
    calls,
    concurrency: 4,
    timeoutMs: 120_000,
    ...createSoakRunner(root, {
      environment: { GEMINI_MCP_CLI: geminiCliUnderTest, ...api.environment() },
      limits: { maxProcesses: 2 },
    }),
    answerTo,
    dispose: async () => {
      await api.close();
      await removeSoakDirectory(root);
    },
  };
}

function answerTo(question: string): string {
  return `The answer to ${question}`;
}

/** Finds the question among the words that the CLI adds. */
function questionOf({ contents }: RecordedRequest): string {
  const said = JSON.stringify(contents.at(-1)?.parts ?? []);
  return /question \d+ of [\w-]+/.exec(said)?.[0] ?? 'nothing';
}
