import { readAcpProcesses } from '@gemini-mcp/fake-gemini';
import { expect, it } from 'vitest';
import { apiKey, createFakeWarmPlace } from './testing/fake-warm-place.ts';

it('processes do not know what opens the server, and do not say it', async () => {
  const token = 'opens-the-server-to-any-holder';
  const place = await createFakeWarmPlace({
    variables: { GEMINI_MCP_TOKEN: token },
    processes: [{ prompts: [[{ do: 'error', code: 500, message: `Refused ${token}` }]] }],
  });
  try {
    const { end } = await place.ask();
    expect(end).toMatchObject({ failure: { excerpt: expect.stringContaining('Refused [redacted]') } });
    const [process] = await readAcpProcesses(place.directory);
    expect(process?.env['GEMINI_API_KEY']).toBe(apiKey);
    expect(JSON.stringify(process?.env)).not.toContain(token);
  } finally {
    await place.dispose();
  }
});
