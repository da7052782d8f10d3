import { createGemini } from '@gemini-mcp/gemini';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';

const gemini = createGemini();

export const app = new Hono();

app.post('/ask', async (context) => {
  const prompt = await context.req.text();
  const { signal } = context.req.raw;
  return streamSSE(context, async (stream) => {
    for await (const piece of gemini.stream(prompt, { signal })) {
      await stream.writeSSE({ event: piece.type, data: JSON.stringify(piece) });
    }
  });
});
