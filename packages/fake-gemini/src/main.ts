import { startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';

// A long bench sends gigabytes: keeps only the newest requests.
const api = await startOfflineGeminiApi({ maxRecorded: 16 });

async function stop(): Promise<void> {
  process.stdin.destroy();
  await api.close();
}

process.stdin.once('end', stop).once('error', stop).resume();
process.once('SIGTERM', stop).once('SIGINT', stop);
process.stdout.write(`${JSON.stringify({ url: api.url, environment: api.environment() })}\n`);
