import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { isJsonRecord, type JsonRecord } from '@gemini-mcp/port-contracts/offline-api';

/** Talks to an ACP process in plain lines of JSON, without validation. */
export type RawAcpClient = {
  readonly child: ChildProcessWithoutNullStreams;
  /** All stdout of the process, line by line; the last line may be incomplete. */
  readonly lines: () => readonly string[];
  readonly request: (method: string, params?: JsonRecord) => Promise<JsonRecord>;
  readonly notify: (method: string, params: JsonRecord) => void;
  readonly reply: (id: unknown, result: JsonRecord) => void;
  /** Resolves to the first matching message, past or future. */
  readonly whenMessage: (fits: (message: JsonRecord) => boolean) => Promise<JsonRecord>;
  readonly ended: Promise<AcpEnding>;
};

type AcpEnding = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stderr: string;
};

export function startRawAcpClient(path: string, env: Readonly<Record<string, string>>): RawAcpClient {
  const child = spawn(path, ['--acp', '--model=gemini-2.5-pro'], { env });
  child.stdin.on('error', () => {});
  let output = '';
  let requests = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const lines = (): readonly string[] => output.split('\n');
  const write = (message: JsonRecord): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const whenMessage: RawAcpClient['whenMessage'] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = lines().flatMap(parse).find(fits);
        if (found !== undefined) {
          child.stdout.off('data', look);
          resolve(found);
        }
      };
      child.stdout.on('data', look);
      look();
    });
  return {
    child,
    lines,
    request: (method, params = {}) => {
      requests += 1;
      const id = `client-${requests}`;
      write({ id, method, params });
      return whenMessage((message) => message['id'] === id && message['method'] === undefined);
    },
    notify: (method, params) => write({ method, params }),
    reply: (id, result) => write({ id, result }),
    whenMessage,
    ended: whenEnded(child),
  };
}

async function whenEnded(child: ChildProcessWithoutNullStreams): Promise<AcpEnding> {
  const stderr = text(child.stderr);
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...ending) => resolve(ending));
  });
  return { exitCode, signal, stderr: await stderr };
}

function parse(line: string): readonly JsonRecord[] {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonRecord(value) ? [value] : [];
  } catch {
    return [];
  }
}
