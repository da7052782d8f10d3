import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, PROTOCOL_VERSION, type PromptRequest } from '@agentclientprotocol/sdk';
import type { QuerySetup } from './query-setup.ts';
import { prepareReplay, type RecordedRun } from './recorded-run.ts';
import { killGroup, type Workbench } from './workbench.ts';

/** What anybody gets from `gemini --acp` by the protocol's own library, and nothing around it. */
export type AcpClient = {
  readonly pid: number;
  /** A session that knows nothing. */
  openSession(): Promise<string>;
  /** Resolves once the answer is whole. */
  prompt(sessionId: string, text: string): Promise<void>;
  close(): Promise<void>;
};

/** Starts `gemini --acp` with the settings, flags and environment of a run of ours, and greets it. */
export async function startAcpClient(
  workbench: Workbench,
  setup: QuerySetup,
  recorded: RecordedRun,
): Promise<AcpClient> {
  const { arguments: headless, ...program } = await prepareReplay(workbench, setup, recorded);
  const flags = headless.filter((argument) => !argument.startsWith('--output-format='));
  const child = workbench.start({ ...program, arguments: [...flags, '--acp'] });
  child.stderr.resume();
  const output: ReadableStream<Uint8Array> = Readable.toWeb(child.stdout);
  const connection = client({ name: 'gemini-mcp-bench' })
    .onNotification(methods.client.session.update, () => undefined)
    .connect(ndJsonStream(Writable.toWeb(child.stdin), output));
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return {
    pid: child.pid ?? -1,
    openSession: async () => {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd: program.cwd, mcpServers: [] });
      return sessionId;
    },
    prompt: async (sessionId, text) => {
      const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
      const { stopReason } = await agent.request(methods.agent.session.prompt, request);
      if (stopReason !== 'end_turn') {
        throw new Error(`gemini --acp did not answer but stopped: ${stopReason}`);
      }
    },
    close: async () => {
      connection.close();
      await killGroup(child);
    },
  };
}
