import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { buildPreload } from './preload.ts';
import { rerouteToolCallsPiece } from './reroute-tool-calls.ts';

const prefix = 'http://127.0.0.1:1/';
const name = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;

/** Says for each address what came of a request there. */
const program = `
  const told = [];
  for (const address of process.argv.slice(2)) {
    const init = { method: 'POST', headers: new Headers({ authorization: 'Bearer old', 'x-own': '1' }), body: '{}' };
    told.push(await fetch(new URL(address), init).then((answer) => answer.text(), () => 'failed'));
  }
  console.log(JSON.stringify(told));
`;

it('leads a request by its file, with the token in it, and every other request nowhere else than it goes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lead-'));
  const server = createServer(({ method, url, headers }, response) => {
    response.end(`${method} ${url} ${headers.authorization} ${headers['x-own']}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const { path, content } = buildPreload([rerouteToolCallsPiece({ prefix, directory: join(root, 'model-tools') })]);
  await mkdir(join(root, 'model-tools'));
  const files = { [path]: content, 'program.mjs': program, secret: JSON.stringify({ url: origin, token: 'stolen' }) };
  const leads = { [name(1)]: JSON.stringify({ url: `${origin}/r/now`, token: 'new' }), [name(2)]: '{"url":' };
  for (const [file, text] of [
    ...Object.entries(files),
    ...Object.entries(leads).map(([one, text]) => [join('model-tools', one), text] as const),
  ]) {
    await writeFile(join(root, file), text);
  }
  const addresses = [
    `${prefix}${name(1)}`,
    `${origin}/other`,
    `${prefix}${name(2)}`,
    `${prefix}${name(3)}`,
    `${prefix}..%2fsecret`,
    `${prefix}${name(1)}/x`,
  ];
  const words = [`--require=${join(root, path)}`, join(root, 'program.mjs'), ...addresses];
  const { stdout } = await execa(process.execPath, words, { env: {}, extendEnv: false });
  server.close();
  await rm(root, { recursive: true });
  expect(JSON.parse(stdout)).toEqual([
    'POST /r/now Bearer new 1',
    'POST /other Bearer old 1',
    ...['failed', 'failed', 'failed', 'failed'],
  ]);
});
