import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from '../http-env.ts';
import { prefersEvents } from './create-rest-routes.ts';

async function prefers(accept: string | null): Promise<unknown> {
  const app = new Hono<HttpEnv>().get('/', (context) => context.json(prefersEvents(context)));
  return (await app.request('/', { headers: accept === null ? {} : { Accept: accept } })).json();
}

describe('prefersEvents', () => {
  it.each([
    'text/event-stream',
    'TEXT/Event-Stream; charset=utf-8',
    'text/*',
    'text/event-stream, */*',
    'text/event-stream, application/json',
    'text/event-stream, application/json;q=0.9',
    'application/json;q=0.1, text/event-stream;q=0.2',
    'text/event-stream;q=0.5, application/json;q=0',
  ])('with %s', async (accept) => {
    expect(await prefers(accept)).toBe(true);
  });

  it.each([
    null,
    '',
    '*/*',
    'application/json',
    'application/*',
    'application/json, text/event-stream',
    'application/json, text/*',
    'text/event-stream;q=0',
    'text/event-stream;q=0, */*',
    'text/event-stream;q=0.9, */*',
    'text/*, text/event-stream;q=0',
    'text/html',
    'image/png, ,;q=x',
  ])('not with %s', async (accept) => {
    expect(await prefers(accept)).toBe(false);
  });
});
