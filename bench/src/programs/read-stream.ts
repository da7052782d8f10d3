import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { SystemClock } from '@gemini-mcp/adapters-node';

// Reads answers of the API, by the runner or by the shortest reader that works, and says the processor time of each in milliseconds.
const [way = '', model = '', input = '', rounds = '1'] = process.argv.slice(2);
const { GOOGLE_GEMINI_BASE_URL: baseUrl = '', GEMINI_API_KEY: apiKey = '' } = process.env;
const clock = new SystemClock();
const runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: baseUrl, clock });
const readAnswer = way === 'runner' ? readByRunner : readPlainly;

const figures: number[] = [];
// One more comes first, and does not count: V8 compiles the code.
for (let round = 0; round <= Number(rounds); round += 1) {
  const before = process.cpuUsage();
  const characters = await readAnswer();
  const { user, system } = process.cpuUsage(before);
  if (characters < 100_000) {
    throw new Error(`Only ${characters} characters came`);
  }
  figures.push((user + system) / 1_000);
}
process.stdout.write(JSON.stringify(figures.slice(1)));
await runner.close();

async function readByRunner(): Promise<number> {
  let characters = 0;
  const request = { model, input, deadlineAtMs: clock.now() + 60_000 };
  for await (const event of runner.run(request, new AbortController().signal)) {
    characters += event.type === 'text' ? event.text.length : 0;
  }
  return characters;
}

async function readPlainly(): Promise<number> {
  const response = await fetch(`${baseUrl}/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: input }] }] }),
  });
  const decoder = new TextDecoder();
  let [rest, characters] = ['', 0];
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\r\n\r\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const { candidates } = JSON.parse(event.slice('data: '.length));
      characters += candidates[0].content.parts[0].text.length;
    }
  }
  return characters;
}
