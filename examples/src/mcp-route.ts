import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { AnswerRecords, BackgroundJobs } from '@gemini-mcp/core';
import { createGemini } from '@gemini-mcp/gemini';
import { createSurface } from '@gemini-mcp/mcp';
import { createStatelessEndpoint } from '@gemini-mcp/mcp/http';
import { Hono } from 'hono';

const gemini = createGemini();
const { clock } = gemini.parts;
const token = process.env['MCP_TOKEN'] ?? randomUUID();
const createHandle = (): string => randomUUID().replaceAll('-', '');

const surface = createSurface({
  ...gemini.parts,
  answers: new AnswerRecords({ clock, createHandle }),
  jobs: new BackgroundJobs({ clock, createHandle, onError: console.error }),
  runPolicy: { allowYolo: false, resolveDirectory: (name) => resolve(name ?? '.') },
});

const endpoint = createStatelessEndpoint({
  version: '1.0.0',
  clock,
  log: ({ event, error }) => console.error(event, error),
});

export const app = new Hono();

app.post('/mcp', async (context) => {
  // Your own check: whose request is this?
  if (context.req.header('Authorization') !== `Bearer ${token}`) {
    return context.body(null, 401, { 'WWW-Authenticate': 'Bearer' });
  }
  const owner = 'ada';
  const { raw } = context.req;
  const body: unknown = await context.req.json().catch(() => null);
  return endpoint.post(raw, body, { owner, binding: owner, surface, signal: raw.signal });
});
