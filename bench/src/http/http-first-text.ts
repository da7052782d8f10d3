import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Benchmark, type Comparison, figureBelow } from '../benchmark.ts';
import { startPausingApi } from '../offline-api.ts';
import { type PromptMoments, placeOfMoments, preciseNow } from '../run-moments.ts';
import { Series } from '../series.ts';
import { serverEnvironment } from '../server-environment.ts';
import { benchToken, startOurs } from './start-http-server.ts';

const timedAcpProgram = fileURLToPath(new URL('../programs/timed-acp.js', import.meta.url));

/** Calls that come before those that count: the first starts the CLI. */
const callsBefore = 5;

/** A model thinks before its first word, and the status that a call has begun is out by then. */
const pauses = { beginMs: 400, pauseMs: 100 } as const;
const firstPiece = 'A first piece';

const query = { prompt: 'What is this about?', model: 'gemini-3.1-pro-preview' } as const;

type Way = {
  readonly what: string;
  readonly path: string;
  readonly accept: string;
  readonly body: object;
};

const ways: readonly Way[] = [
  {
    what: 'plain HTTP with events',
    path: '/api/gemini-query',
    accept: 'text/event-stream',
    body: query,
  },
  {
    what: 'the progress of MCP',
    path: '/mcp',
    accept: 'application/json, text/event-stream',
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'gemini_query', arguments: query, _meta: { progressToken: 1 } },
    },
  },
];

/** From when the CLI says the first piece of an answer to when the client has the first bytes of it. */
export const httpFirstText: Benchmark = {
  name: 'http-first-text',
  defaultRounds: 40,
  run: async (workbench, rounds) => {
    const home = await workbench.makeDirectory();
    const { target, stop } = await startOurs(workbench, {
      ...serverEnvironment(home),
      ...(await startPausingApi(workbench, pauses)),
      GEMINI_MCP_CLI: timedAcpProgram,
    });
    const comparisons: Comparison[] = [];
    for (const way of ways) {
      const readings: Reading[] = [];
      while (readings.length < callsBefore + rounds) {
        readings.push(await readFirstText(target.port, way));
      }
      const prompts = await readPrompts(home);
      comparisons.push(...describe(way, readings.slice(callsBefore), prompts));
    }
    await stop();
    return comparisons;
  },
};

type Reading = { readonly asked: number; readonly heard: number; readonly ended: number };

/** Makes a call, and resolves when the answer has ended to when what of it came. */
function readFirstText(port: number, { path, accept, body }: Way): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const asked = preciseNow();
    let heard = 0;
    let received = '';
    const headers = { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json', accept };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        received += piece;
        if (heard === 0 && received.includes(firstPiece)) {
          heard = preciseNow();
        }
      });
      response.once('error', reject).once('end', () => {
        if (heard === 0) {
          reject(new Error(`No text came, but: ${received.slice(0, 500)}`));
        } else {
          resolve({ asked, heard, ended: preciseNow() });
        }
      });
    });
    sent.once('error', reject).end(JSON.stringify(body));
  });
}

async function readPrompts(home: string): Promise<readonly PromptMoments[]> {
  const lines = (await readFile(placeOfMoments(home), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

function describe(
  { what }: Way,
  readings: readonly Reading[],
  prompts: readonly PromptMoments[],
): readonly Comparison[] {
  const delays = new Series();
  for (const { asked, heard, ended } of readings) {
    const prompt = prompts.find(({ received, replied }) => asked < received && replied < ended);
    if (prompt !== undefined && prompt.spoke !== 0) {
      delays.add(heard - prompt.spoke);
    }
  }
  const name = `From the CLI's first piece of text to the client, ${what}`;
  return [
    { what: `${name}: p50`, unit: 'ms', baseline: null, ours: delays.median, target: figureBelow(20) },
    { what: `${name}: p99`, unit: 'ms', baseline: null, ours: delays.quantile(0.99), target: null },
  ];
}
