import { expect, it } from 'vitest';
import { connectServers } from './testing/connect-servers.ts';
import { answered, listed, ScriptedServers, server } from './testing/scripted-servers.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

it('passes the trace of each request on to the server, without forged parts', async () => {
  const servers = new ScriptedServers(
    server({
      name: 's',
      tools: [listed('t')],
      prompts: [{ name: 'p', title: null, description: '', arguments: [] }],
      resources: [
        { uri: 'demo://a', isTemplate: false, name: 'a', title: null, description: '', mediaType: 'text/plain' },
      ],
    }),
  );
  servers.answer = ({ asks }) =>
    answered({
      content: [],
      messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
      contents: asks.type === 'resource' ? [{ uri: asks.uri, text: 'x' }] : [],
    });
  const { client } = await connectServers(servers);
  const _meta = { traceparent, baggage: 'user=ada', tracestate: 'forged\n' };
  await client.callTool({ name: 's__t', _meta });
  await client.getPrompt({ name: 's__p', _meta });
  await client.readResource({ uri: 'gemini://servers/s/demo://a', _meta });
  await client.callTool({ name: 's__t', _meta: { traceparent: 'forged' } });
  const trace = { traceparent, baggage: 'user=ada' };
  expect(servers.requests.map((request) => request.trace)).toEqual([trace, trace, trace, undefined]);
});
