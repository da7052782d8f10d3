import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Sends recorded requests by a bare `fetch`, once for each line on stdin. Prints the duration in milliseconds.
const { GOOGLE_GEMINI_BASE_URL: baseUrl = '', GEMINI_API_KEY: apiKey = '' } = process.env;
const recorded: readonly { path: string; body: string }[] = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const uploads = recorded.map(({ path, body }) => ({ url: `${baseUrl}${path}`, body: Buffer.from(body) }));
const headers = { 'content-type': 'application/json', 'x-goog-api-key': apiKey };

process.stdout.write('ready\n');
for await (const _ of createInterface({ input: process.stdin })) {
  const startedAt = performance.now();
  for (const { url, body } of uploads) {
    const response = await fetch(url, { method: 'POST', headers, body });
    const answer = await response.text();
    if (!/"STOP"|"totalTokens"/.test(answer)) {
      throw new Error(`No answer came, but: ${answer.slice(0, 500)}`);
    }
  }
  process.stdout.write(`${performance.now() - startedAt}\n`);
}
