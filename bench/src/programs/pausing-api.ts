import { setTimeout as sleep } from 'node:timers/promises';
import { slow, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';

// The offline API, which begins its answers after some time, as a model does, and pauses within them. Lives until its stdin ends.
const [beginMs = '400', pauseMs = '100'] = process.argv.slice(2);
const api = await startOfflineGeminiApi({
  maxRecorded: 16,
  reply: () => {
    const after = sleep(Number(beginMs) + Number(pauseMs));
    return slow(Number(beginMs), text(['A first piece, ', { text: 'and the rest.', after }]));
  },
});
process.stdin.once('end', () => void api.close()).resume();
process.stdout.write(`${JSON.stringify({ url: api.url, environment: api.environment() })}\n`);
