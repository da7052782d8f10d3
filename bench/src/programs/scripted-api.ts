import { setTimeout as sleep } from 'node:timers/promises';
import { describeArrival, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { longAnswerPrompt, piecesOfLongAnswer, stampMark, stampPrompt } from '../api/prompts.ts';
import { preciseNow } from '../run-moments.ts';

/** A model thinks before its first word, and the status that a call has begun is out by then. */
const thinkingMs = 400;
const pauseMs = 100;

const longAnswer = Array.from({ length: piecesOfLongAnswer }, (_, index) => `piece ${index} of an answer `);

// The offline API, which answers at once; in many pieces, or with the time of its first piece in that, where the prompt asks for
// that. Lives until its stdin ends.
const api = await startOfflineGeminiApi({
  maxRecorded: 4,
  reply: async (request) => {
    const prompt = request.userText.join('');
    if (prompt.includes(longAnswerPrompt)) {
      return text(longAnswer);
    }
    if (prompt.includes(stampPrompt)) {
      await sleep(thinkingMs);
      const first = `${stampMark}${preciseNow()} `;
      return text([first, { text: 'and the rest.', after: sleep(pauseMs) }]);
    }
    return describeArrival(request);
  },
});
process.stdin.once('end', () => void api.close()).resume();
process.stdout.write(`${JSON.stringify({ url: api.url, environment: api.environment() })}\n`);
