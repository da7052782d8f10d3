import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { type Benchmark, figureBelow } from '../benchmark.ts';
import { inTurns, median, quantile } from '../in-turns.ts';
import { preciseNow, serverEnvironment, stampedAnswer, startOfflineApi } from '../offline-place.ts';
import { pathOfProgram } from '../workbench.ts';
import { benchToken, startHttpServer } from './http-server.ts';

/** When a CLI process wrote the first piece of its newest answer: found by the home directory, the only path of ours that it knows. */
export function placeOfMoment(home: string): string {
  return join(home, 'spoke-at');
}

/** Calls before the counted ones: the first starts the CLI. */
const callsBefore = 5;

const query = { prompt: stampedAnswer.prompt, model: 'gemini-3.1-pro-preview' } as const;
const call = { name: 'gemini_query', arguments: query, _meta: { progressToken: 1 } };
const ways = {
  rest: { path: '/api/gemini-query', accept: 'text/event-stream', body: query },
  mcp: {
    path: '/mcp',
    accept: 'application/json, text/event-stream',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  },
} as const;

/** From the CLI's first piece of an answer to its first bytes at the client. */
export const httpFirstText: Benchmark = {
  name: 'http-first-text',
  defaultRounds: 40,
  run: async (workbench, rounds) => {
    const home = await workbench.makeDirectory();
    const { target, stop } = await startHttpServer(workbench, {
      ...serverEnvironment(home),
      ...(await startOfflineApi(workbench)),
      GEMINI_MCP_CLI: pathOfProgram('timed-acp'),
      GEMINI_MCP_RUNNER: 'warm',
    });
    const time = async (way: Way): Promise<number> => {
      const heardAt = await readFirstText(target.url, way);
      return heardAt - Number(await readFile(placeOfMoment(home), 'utf8'));
    };
    for (let count = 0; count < callsBefore; count += 1) {
      await time(ways.rest);
    }
    const times = await inTurns(rounds, [
      async () => ({ rest: await time(ways.rest) }),
      async () => ({ mcp: await time(ways.mcp) }),
    ]);
    await stop();
    const what = "From the CLI's first piece of text to the client,";
    return [
      { what: `${what} plain HTTP with events: p50`, ours: median(times.rest), target: figureBelow(20) },
      { what: `${what} plain HTTP with events: p99`, ours: quantile(times.rest, 0.99) },
      { what: `${what} the progress of MCP: p50`, ours: median(times.mcp), target: figureBelow(20) },
      { what: `${what} the progress of MCP: p99`, ours: quantile(times.mcp, 0.99) },
    ];
  },
};

type Way = (typeof ways)[keyof typeof ways];

/** Makes a call. Resolves, after the answer has ended, to the time of its first text. */
function readFirstText(url: string, { path, accept, body }: Way): Promise<number> {
  return new Promise((resolve, reject) => {
    let heardAt = 0;
    let received = '';
    const headers = { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json', accept };
    const sent = request(new URL(path, url), { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => {
        received += piece;
        heardAt ||= received.includes(stampedAnswer.mark) ? preciseNow() : 0;
      });
      response.once('error', reject).once('end', () => {
        if (heardAt === 0) {
          reject(new Error(`No text came, but: ${received.slice(0, 500)}`));
        } else {
          resolve(heardAt);
        }
      });
    });
    sent.once('error', reject).end(JSON.stringify(body));
  });
}
