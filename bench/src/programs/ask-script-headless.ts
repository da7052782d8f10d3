import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliGeminiRunner, createGemini, SystemClock } from '@gemini-mcp/adapters-node';

const stateDirectory = join(homedir(), 'state');
const runner = new CliGeminiRunner({
  clock: new SystemClock(),
  environment: process.env,
  runsDirectory: join(stateDirectory, 'runs'),
  userDirectory: join(homedir(), '.gemini'),
});
await using gemini = createGemini({ stateDirectory, runner });
const result = await gemini.ask('What is this about?', { directories: ['.'] });
console.log(result.ok ? result.text : result.failure.text);
