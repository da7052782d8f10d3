import { SystemClock } from '@gemini-mcp/adapters-node';
import { type Surface, serveStdio, type Tool } from '@gemini-mcp/mcp';
import { z } from 'zod';

const input = z.strictObject({ version: z.string().max(40).describe('The version to release, such as 2.1.0.') });

const release: Tool<typeof input> = {
  name: 'release',
  title: 'Release',
  description: 'Releases a version, after the user has agreed.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  run: async ({ version }, { ask }) => {
    const outcome = await ask({
      handle: 'release',
      message: `Release version ${version} to all users?`,
      choices: [
        { name: 'release', label: 'Release it now' },
        { name: 'keep', label: 'Do not release it' },
      ],
    });
    if (outcome.type === 'chosen' && outcome.choice === 'release') {
      return { text: `Version ${version} is released.`, isError: false };
    }
    const reason = outcome.type === 'cannot-ask' ? outcome.text : 'The user did not agree.';
    return { text: `Version ${version} is not released. ${reason}`, isError: true };
  },
};

const surface: Surface = { tools: [release], prompts: [], resources: [] };
const server = {
  version: '1.0.0',
  introduction: { name: 'release', title: 'Release', instructions: 'Releases versions. The user is asked each time.' },
  clock: new SystemClock(),
  log: console.error,
  ownerOf: (clientName: string | null) => clientName ?? 'unknown',
  surface,
};
const { stdin, stdout } = process;
const { callsEnded } = await serveStdio({ stdin, stdout, server }, new AbortController().signal);
await callsEnded;
