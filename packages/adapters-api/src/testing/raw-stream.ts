import type { ServerResponse } from 'node:http';

/** Begins a stream of events, as the API does. */
export function beginStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** The event that holds a piece of an answer; the last one if it has a reason. */
export function eventOf(text: string, finishReason?: string): string {
  const candidate = {
    content: { role: 'model', parts: [{ text }] },
    ...(finishReason !== undefined && { finishReason }),
  };
  return `data: ${JSON.stringify({ candidates: [candidate] })}\r\n\r\n`;
}
