import { SystemClock } from '@gemini-mcp/adapters-node';
import { ChangingSurface, serveStdio, type Tool } from '@gemini-mcp/mcp';
import { z } from 'zod';

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const input = z.strictObject({});
const offer = (...tools: readonly Tool[]) => ({ tools, prompts: [], resources: [] });

const readInbox: Tool = {
  name: 'read_inbox',
  title: 'Read the inbox',
  description: 'Shows the newest messages.',
  input,
  annotations: { ...annotations, readOnlyHint: true },
  run: async () => ({ text: 'No new messages.', isError: false }),
};

const signIn: Tool = {
  name: 'sign_in',
  title: 'Sign in',
  description: 'Signs in to the mail server. The tools for mail are there after that.',
  input,
  annotations,
  run: async () => {
    surface.replace(offer(signIn, readInbox));
    return { text: 'You are signed in.', isError: false };
  },
};

const surface = new ChangingSurface(offer(signIn));
const server = {
  version: '1.0.0',
  introduction: { name: 'mail', title: 'Mail', instructions: 'Reads your mail. Sign in first.' },
  clock: new SystemClock(),
  log: console.error,
  ownerOf: (clientName: string | null) => clientName ?? 'unknown',
  surface,
};
const { stdin, stdout } = process;
const { callsEnded } = await serveStdio({ stdin, stdout, server }, new AbortController().signal);
await callsEnded;
