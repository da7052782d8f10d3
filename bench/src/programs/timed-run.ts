import { writeFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { geminiPath } from '../project-paths.ts';
import { placeOfMoments, preciseNow, type RunMoments } from '../run-moments.ts';

// The Gemini CLI itself, within this process, with a note of when what happened.
const directory = await oldestEntryMs(dirname(process.cwd()));
let ready = 0;

process.stdout.write = new Proxy(process.stdout.write, {
  apply: (write, stdout, args) => {
    const text = String(args[0]);
    ready ||= text.includes('"type":"init"') ? preciseNow() : 0;
    if (text.includes('"type":"result"')) {
      // Noted before it is said: the server ends the run as soon as it has read it.
      note({ directory, process: performance.timeOrigin, ready, answered: preciseNow() });
    }
    return Reflect.apply(write, stdout, args);
  },
});

process.argv[1] = geminiPath;
await import(pathToFileURL(geminiPath).href);

function note(moments: RunMoments): void {
  writeFileSync(placeOfMoments(process.env['HOME'] ?? ''), JSON.stringify(moments));
}

/** The run's directory is filled as soon as it is made, and not every file system knows when that was. */
async function oldestEntryMs(path: string): Promise<number> {
  const entries = await readdir(path);
  const times = await Promise.all(entries.map(async (entry) => (await stat(join(path, entry))).mtimeMs));
  return Math.min(...times);
}
