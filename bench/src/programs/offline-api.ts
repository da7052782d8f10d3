import { setTimeout as sleep } from 'node:timers/promises';
import { describeArrival, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { longAnswer, preciseNow, stampedAnswer } from '../offline-place.ts';

/** A model thinks before its first word, and the status that a call has begun is out by then. */
const thinkingMs = 400;
const pauseMs = 100;

const pieces = Array.from({ length: longAnswer.pieces }, (_, index) => `piece ${index} of an answer `);

// The offline API, which answers at once unless the prompt asks for something else. Lives until its stdin ends.
const api = await startOfflineGeminiApi({
  maxRecorded: 4,
  reply: async (request) => {
    const prompt = request.userText.join('');
    if (prompt.includes(longAnswer.prompt)) {
      return text(pieces);
    }
    if (prompt.includes(stampedAnswer.prompt)) {
      await sleep(thinkingMs);
      const first = `${stampedAnswer.mark}${preciseNow()} `;
      return text([first, { text: 'and the rest.', after: sleep(pauseMs) }]);
    }
    return describeArrival(request);
  },
});
process.stdin.once('end', () => void api.close()).resume();
process.stdout.write(`${JSON.stringify({ environment: api.environment() })}\n`);
