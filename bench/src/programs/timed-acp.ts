import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { geminiPath } from '../project-paths.ts';
import { type PromptMoments, placeOfMoments, preciseNow } from '../run-moments.ts';

// The Gemini CLI itself, within this process, with a note of when a prompt came, when its answer began and when it was whole.
let received = 0;
let spoke = 0;

process.stdin.push = new Proxy(process.stdin.push, {
  apply: (push, stdin, args) => {
    if (Buffer.isBuffer(args[0]) && args[0].includes('"method":"session/prompt"')) {
      received = preciseNow();
      spoke = 0;
    }
    return Reflect.apply(push, stdin, args);
  },
});

process.stdout.write = new Proxy(process.stdout.write, {
  apply: (write, stdout, args) => {
    const said = Buffer.from(args[0]);
    if (spoke === 0 && said.includes('"agent_message_chunk"')) {
      spoke = preciseNow();
    }
    if (said.includes('"stopReason"')) {
      const moments: PromptMoments = { received, spoke, replied: preciseNow() };
      // Once it is said: the file is none of the CLI's work.
      setImmediate(() => appendFileSync(placeOfMoments(process.env['HOME'] ?? ''), `${JSON.stringify(moments)}\n`));
    }
    return Reflect.apply(write, stdout, args);
  },
});

process.argv[1] = geminiPath;
await import(pathToFileURL(geminiPath).href);
