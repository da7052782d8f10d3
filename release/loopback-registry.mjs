// A registry on this machine, for tests: it has what they publish, and fetches other packages from the usual registry.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { rootDirectory } from '../scripts/run-step.mjs';

/** The last that runs on Node 20. One of its dependencies names a tag that its package no longer has. */
const verdaccio = { dependencies: { verdaccio: '6.2.5' }, overrides: { 'node-fetch': '2.7.0' } };

/**
 * Starts a registry with its files in a directory. Resolves to its URL, the line for `.npmrc` with which npm publishes to it, and
 * an end.
 */
export async function startRegistry(directory) {
  const modules = await fetchPackages('verdaccio', verdaccio);
  const port = await findFreePort();
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'config.yaml'), configuration);
  const args = [join(modules, 'verdaccio/bin/verdaccio'), '--config', 'config.yaml', '--listen', `127.0.0.1:${port}`];
  const server = execa(process.execPath, args, { cwd: directory, reject: false, stderr: 'ignore' });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.includes('http address')) {
      break;
    }
  }
  server.stdout.resume();
  return {
    url: `http://127.0.0.1:${port}/`,
    npmrc: `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=anyone\n`,
    close: async () => {
      server.kill();
      await server;
    },
  };
}

const configuration = `storage: ./storage
uplinks:
  npm: { url: https://registry.npmjs.org/ }
packages:
  'gemini-mcp-server*': { access: $all, publish: $all }
  '@gemini-mcp/*': { access: $all, publish: $all }
  '**': { access: $all, proxy: npm }
log: { type: stdout, format: json, level: info }
`;

/** Installs packages once, without their scripts. Resolves to the directory of their modules. */
export async function fetchPackages(name, { dependencies, overrides = {} }) {
  const versions = createHash('sha256').update(JSON.stringify(dependencies)).digest('hex').slice(0, 12);
  const place = join(rootDirectory, 'node_modules/.cache/release', `${name}-${versions}`);
  if (!existsSync(place)) {
    const unfinished = `${place}.${process.pid}`;
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
    await execa('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', unfinished]);
    await rename(unfinished, place).catch(() => rm(unfinished, { recursive: true }));
  }
  return join(place, 'node_modules');
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
