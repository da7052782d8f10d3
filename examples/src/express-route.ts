import { createGemini } from '@gemini-mcp/gemini';
import express from 'express';

const gemini = createGemini();

export const app = express();

app.post('/ask', express.text(), async (request, response) => {
  const prompt: unknown = request.body;
  if (typeof prompt !== 'string') {
    response.status(415).send('Send the prompt as text/plain.');
    return;
  }
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  response.type('text/event-stream');
  for await (const piece of gemini.stream(prompt, { signal: closed.signal })) {
    response.write(`event: ${piece.type}\ndata: ${JSON.stringify(piece)}\n\n`);
  }
  response.end();
});
