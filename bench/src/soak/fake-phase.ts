import { join } from 'node:path';
import {
  type AcpStep,
  acpEcho,
  acpPermissionRequest,
  createFakeGeminiCli,
  type FakeAcpScenario,
} from '@gemini-mcp/fake-gemini';
import { createSoakDirectory, createSoakRunner, removeSoakDirectory, type SoakPhase } from './soak-phase.ts';

const chanceOfEach = 0.05;

/** Each of them hits one call in twenty; one that ends the process also hits the calls next to it. */
const mishaps: Readonly<Record<string, readonly AcpStep[]>> = {
  'an error answer': [{ do: 'error', code: 503, message: 'The model is overloaded. Please try again later.' }],
  'an empty answer': [{ do: 'answer' }],
  'a crash before the answer': [{ do: 'kill-self', signal: 'SIGKILL' }],
  'a crash after the answer': [{ do: 'echo' }, { do: 'kill-self', signal: 'SIGKILL' }],
  'a hang': [{ do: 'hang' }],
  'a process that hears nothing': [{ do: 'stop-reading' }, { do: 'hang' }],
  'broken JSON': [{ do: 'write', to: 'stdout', text: '{"jsonrpc":"2.0","id":nonsense\n' }, { do: 'hang' }],
  'a question for permission': [acpPermissionRequest('rm -rf /'), { do: 'echo' }],
  'a slow answer': [{ do: 'wait', durationMs: 100 }, { do: 'echo' }],
};

const scenario: FakeAcpScenario = {
  processes: [
    {
      prompts: [
        [{ do: 'by-chance', seed: 'soak', chanceOfEach, among: Object.values(mishaps), otherwise: [{ do: 'echo' }] }],
      ],
    },
  ],
  records: 'starts',
};

/** The scripted CLI, which fails in every way that it knows. */
export async function fakePhase(calls: number): Promise<SoakPhase> {
  const root = await createSoakDirectory();
  const cli = await createFakeGeminiCli({ acp: scenario, directory: join(root, 'cli') });
  return {
    name: 'the scripted CLI with one fault of each kind in twenty calls',
    calls,
    concurrency: 16,
    timeoutMs: 1_500,
    ...createSoakRunner(root, {
      environment: { GEMINI_MCP_CLI: cli, GEMINI_API_KEY: 'made-up' },
      limits: { maxProcesses: 4, maxRunsPerProcess: 4, silenceMs: 300, answerMs: 300 },
    }),
    answerTo: acpEcho,
    dispose: () => removeSoakDirectory(root),
  };
}
