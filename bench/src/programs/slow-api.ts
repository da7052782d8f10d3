import { slow, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';

// The offline API, which thinks for so many milliseconds before each answer. Lives until its stdin ends.
const [delayMs = '1000'] = process.argv.slice(2);
const api = await startOfflineGeminiApi({ maxRecorded: 16, reply: slow(Number(delayMs), text('Thought about.')) });
process.stdin.once('end', () => void api.close()).resume();
process.stdout.write(`${JSON.stringify({ url: api.url, environment: api.environment() })}\n`);
