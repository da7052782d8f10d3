import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { connectModern } from '../edges/testing/modern-caller.ts';
import type { Surface } from '../surface/surface.ts';
import { connect } from '../testing/connect-surface.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A tool that returns the trace of its call. */
const surface: Surface = {
  prompts: [],
  resources: [],
  tools: [
    {
      name: 'trace',
      title: 'Trace',
      description: 'Traces',
      input: z.strictObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async (_, { trace }) => ({ text: JSON.stringify(trace ?? null), isError: false }),
    },
  ],
};

describe('the trace of a call', () => {
  it.each([
    [
      { traceparent, tracestate: 'a=1', baggage: 'b=2' },
      { traceparent, tracestate: 'a=1', baggage: 'b=2' },
    ],
    [{ traceparent: 'forged', tracestate: 'a=1', baggage: 'forged' }, null],
    [{}, null],
  ])('%j reaches the tool in both eras', async (meta, trace) => {
    const content = [{ type: 'text', text: JSON.stringify(trace) }];
    const { client } = await connect(surface);
    expect(await client.callTool({ name: 'trace', _meta: meta })).toMatchObject({ content });
    const { ask } = connectModern(surface);
    expect(await ask('tools/call', { name: 'trace' }, meta)).toMatchObject({ result: { content } });
  });
});
