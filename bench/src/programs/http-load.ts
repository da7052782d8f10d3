import type { LoadPlan, LoadReport } from '../http/http-load.ts';
import { McpWireClient } from '../http/mcp-wire-client.ts';

// Clients that call a server for a while. Says in one line of JSON how that went.
const plan: LoadPlan = JSON.parse(process.argv[2] ?? '');
const { target, warmUpMs, durationMs } = plan;
const latencies: number[] = [];
let allRequests = 0;
const clients = await Promise.all(Array.from({ length: plan.clients }, () => McpWireClient.open(target)));
const countsFrom = performance.now() + warmUpMs;
const endsAt = countsFrom + durationMs;
await Promise.all(clients.map(keepCalling));
latencies.sort((a, b) => a - b);
const report: LoadReport = {
  requestsPerSecond: (latencies.length * 1_000) / durationMs,
  p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
  p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  allRequests,
};
process.stdout.write(`${JSON.stringify(report)}\n`);
for (const client of clients) {
  client.close();
}

async function keepCalling(client: McpWireClient): Promise<void> {
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
