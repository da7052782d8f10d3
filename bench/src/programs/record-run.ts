import { cp, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { placesOfRecording, type RecordedRun } from '../bare-cli.ts';

// Runs in place of the Gemini CLI: records how it was started, with its directory, and gives any answer.
const places = placesOfRecording(process.env['HOME'] ?? '');
const run: RecordedRun = {
  directory: dirname(process.cwd()),
  arguments: process.argv.slice(2),
  environment: Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ''])),
  input: await text(process.stdin),
};
await cp(run.directory, places.directory, { recursive: true });
await writeFile(places.run, JSON.stringify(run));

const events = [
  { type: 'init' },
  { type: 'message', role: 'assistant', content: 'Recorded' },
  { type: 'result', status: 'success' },
];
process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
