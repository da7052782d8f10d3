import { SystemClock } from '@gemini-mcp/adapters-node';
import { serveStdio, type Tool } from '@gemini-mcp/mcp';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

const showPicture: Tool = {
  name: 'show_picture',
  title: 'Show a picture',
  description: 'Shows a picture in one color.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { color: { enum: ['red'], description: 'The color of the picture.' } },
      required: ['color'],
      additionalProperties: false,
    },
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ color }) => ({
    text: `A picture in ${color}:`,
    blocks: [
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'https://example.com/pictures/red', name: 'red' },
    ],
    isError: false,
  }),
};

const server = {
  version: '1.0.0',
  clock: new SystemClock(),
  log: console.error,
  ownerOf: (clientName: string | null) => clientName ?? 'unknown',
  surface: { tools: [showPicture], prompts: [], resources: [] },
};
const { stdin, stdout } = process;
const { callsEnded } = await serveStdio({ stdin, stdout, server }, new AbortController().signal);
await callsEnded;
