// Our servers, with the requests of a client recorded on the way to them.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Writes a program into `directory` that passes stdin on to `server`. Resolves to its path, and to a function that reads what it has passed on. */
export async function recordStdio({ directory, server }) {
  const [program, log] = [join(directory, 'recorder.cjs'), join(directory, 'requests')];
  await appendFile(log, '');
  await writeFile(
    program,
    `const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
const server = spawn(process.execPath, [${JSON.stringify(server)}], { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (bytes) => {
  appendFileSync(${JSON.stringify(log)}, bytes);
  server.stdin.write(bytes);
});
process.stdin.on('end', () => server.stdin.end());
server.on('exit', () => process.exit());
`,
  );
  const readMessages = async () => {
    const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line));
  };
  return { program, readMessages };
}

/** Passes requests on to the server at `origin`. Resolves to the port, a function that returns the bodies so far, and an end. */
export async function recordHttp(origin) {
  const messages = [];
  const proxy = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    if (body !== '') {
      messages.push(JSON.parse(body));
    }
    const { method, headers, url } = incoming;
    const passed = request(new URL(url, origin), { method, headers: { ...headers, host: new URL(origin).host } });
    passed.on('error', () => outgoing.destroy());
    passed.on('response', (answer) => answer.pipe(outgoing.writeHead(answer.statusCode, answer.headers)));
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { port: proxy.address().port, readMessages: () => messages, close };
}
