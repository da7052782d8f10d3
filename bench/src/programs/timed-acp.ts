import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { placeOfMoment } from '../http/http-first-text.ts';
import { preciseNow } from '../offline-place.ts';
import { geminiPath } from '../project-paths.ts';

// The Gemini CLI itself, within this process, with a note of when the first piece of an answer was about to be said.
let spokeAt = 0;

process.stdout.write = new Proxy(process.stdout.write, {
  apply: (write, stdout, args) => {
    const said = Buffer.from(args[0]);
    spokeAt ||= said.includes('"agent_message_chunk"') ? preciseNow() : 0;
    if (said.includes('"stopReason"')) {
      writeFileSync(placeOfMoment(process.env['HOME'] ?? ''), `${spokeAt}`);
      spokeAt = 0;
    }
    return Reflect.apply(write, stdout, args);
  },
});

process.argv[1] = geminiPath;
await import(pathToFileURL(geminiPath).href);
