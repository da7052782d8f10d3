import type { LoadPlan, LoadReport } from '../http/http-rate.ts';
import { WireClient } from '../http/wire-client.ts';
import { median } from '../in-turns.ts';

// Clients that call a server for a while. Prints the outcome as one line of JSON.
const plan: LoadPlan = JSON.parse(process.argv[2] ?? '');
const { target, warmUpMs, durationMs } = plan;
const latencies: number[] = [];
let allRequests = 0;
const clients = await Promise.all(Array.from({ length: plan.clients }, () => WireClient.open(target)));
const countsFrom = performance.now() + warmUpMs;
const endsAt = countsFrom + durationMs;
await Promise.all(clients.map(keepCalling));
const requestsPerSecond = (latencies.length * 1_000) / durationMs;
const report: LoadReport = { requestsPerSecond, p50Ms: median(latencies), allRequests };
process.stdout.write(`${JSON.stringify(report)}\n`);
for (const client of clients) {
  client.close();
}

async function keepCalling(client: WireClient): Promise<void> {
  for (let askedAt = performance.now(); askedAt < endsAt; ) {
    await client.call();
    const answeredAt = performance.now();
    allRequests += 1;
    if (askedAt >= countsFrom && answeredAt <= endsAt) {
      latencies.push(answeredAt - askedAt);
    }
    askedAt = answeredAt;
  }
}
