import { ApiGeminiRunner } from '../api-gemini-runner.ts';
import { ask, collect } from './ask.ts';
import { wallClock } from './wall-clock.ts';

/** A program that calls an API (arguments: its URL, and the URL of a proxy or nothing) and prints the events as JSON. */
const [geminiBaseUrl = '', proxy = ''] = process.argv.slice(2);
const runner = new ApiGeminiRunner({
  login: { type: 'gemini-key', apiKey: 'AIzaFake-key_of_a_program_0000000000000' },
  geminiBaseUrl,
  clock: wallClock,
  proxies: { http: null, https: proxy === '' ? null : proxy, except: null },
});
const events = await collect(ask(runner));
await runner.close();
process.stdout.write(JSON.stringify(events));
