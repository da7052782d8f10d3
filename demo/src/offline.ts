import { parseArgs } from 'node:util';
import { type OfflineGeminiApi, startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';

/** The same at each start, so that a client's settings stay valid. */
const usualPort = '8617';

const { values } = parseArgs({ options: { port: { type: 'string', default: usualPort } } });
const port = Number(values.port);

/** The API takes any key. */
const variables = (url: string): Readonly<Record<string, string>> => ({
  GOOGLE_GEMINI_BASE_URL: url,
  GEMINI_API_KEY: 'offline',
});

const api = await start();
if (api === null) {
  console.error(
    `Port ${port} is taken. If not by an offline Gemini API, choose another: npm run offline -- --port <number>`,
  );
  process.exitCode = 1;
} else {
  console.log(describeUse(api.url));
  process.once('SIGINT', () => void api.close());
  process.once('SIGTERM', () => void api.close());
}

/** Resolves to null if the port is taken. */
async function start(): Promise<OfflineGeminiApi | null> {
  try {
    return await startOfflineGeminiApi({ port, maxRecorded: 1 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      return null;
    }
    throw error;
  }
}

function describeUse(url: string): string {
  const entries = Object.entries(variables(url));
  const lines = entries.map(([name, value]) => `export ${name}=${value}`);
  const env = entries.map(([name, value]) => `"${name}": "${value}"`).join(', ');
  return `
The offline Gemini API listens on ${url}. It answers with what has arrived: no model reads it, and nothing leaves this machine.

In another terminal, before you start the server or a client such as Claude Code:

${lines.join('\n')}

Or in the server's entry in the settings of a client:

"env": { ${env} }

Ctrl-C ends it.`;
}
