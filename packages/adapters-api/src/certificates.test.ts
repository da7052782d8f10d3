import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  elsewhereCertificate,
  expiredCertificate,
  type TestCertificate,
  trustedCertificate,
} from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, collect } from './testing/ask.ts';
import { beginStream, eventOf } from './testing/raw-stream.ts';
import { RunnerPlace } from './testing/runner-place.ts';

const place = new RunnerPlace();
let directory: string;
let program: string;
let authorities: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gemini-mcp-certificates-'));
  [program, authorities] = [join(directory, 'ask-api.mjs'), join(directory, 'authorities.pem')];
  const certificates = [trustedCertificate, expiredCertificate, elsewhereCertificate].map(({ cert }) => cert);
  await writeFile(authorities, certificates.join(''));
  await build({
    entryPoints: [fileURLToPath(new URL('testing/ask-api.ts', import.meta.url))],
    conditions: ['@gemini-mcp/source'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    // undici is CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    target: 'node20.19',
    outfile: program,
    logLevel: 'silent',
  });
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** An API with this certificate, by its host. */
async function serve(certificate: TestCertificate): Promise<string> {
  const api = createServer({ ...certificate }, (request, response) => {
    request.resume().once('end', () => beginStream(response).end(eventOf('Yes', 'STOP')));
  });
  return (await place.listen(api)).host;
}

/** Sends a request from a process whose Node gets the authorities at its start: later it does not read them. */
async function askInProcess(host: string, proxy = ''): Promise<unknown> {
  const environment = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: authorities };
  const { stdout } = await execa(process.execPath, [program, `https://${host}`, proxy], {
    env: environment,
    extendEnv: false,
  });
  return JSON.parse(stdout);
}

const yes = [
  { type: 'text', text: 'Yes' },
  { type: 'answer', ending: { type: 'complete' } },
];

describe('ApiGeminiRunner and certificates', () => {
  it('trusts authorities in NODE_EXTRA_CA_CERTS', async () => {
    expect(await askInProcess(await serve(trustedCertificate))).toEqual(yes);
  });

  it('trusts them through a proxy too, which sees only the target of the connection', async () => {
    const host = await serve(trustedCertificate);
    const seen: string[] = [];
    const proxy = createProxy().on('connect', ({ url = '', headers }, client: Socket) => {
      seen.push(url, JSON.stringify(headers));
      const { port } = new URL(`https://${url}`);
      const target = connect(Number(port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.on('data', (bytes) => seen.push(String(bytes)));
        client.pipe(target).pipe(client);
      });
    });
    const { url } = await place.listen(proxy);
    expect(await askInProcess(host, url)).toEqual(yes);
    expect(seen[0]).toBe(host);
    expect(seen.join('')).not.toMatch(/AIzaFake|Why\?/);
  });

  it.each([
    ['expired', expiredCertificate, 'certificate has expired (CERT_HAS_EXPIRED)'],
    ['for another name', elsewhereCertificate, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('reports a certificate that is %s', async (_, certificate, said) => {
    expect(await askInProcess(await serve(certificate))).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringContaining(said) } },
    ]);
  });

  it('advises what to do about an unknown authority', async () => {
    const events = await collect(ask(place.runnerAt(`https://${await serve(trustedCertificate)}`)));
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'network', excerpt: expect.stringMatching(/DEPTH_ZERO_SELF_SIGNED_CERT/) } },
    ]);
    expect(JSON.stringify(events)).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('reports a server without TLS', async () => {
    const { server } = await place.serve((_, response) => response.end());
    expect(await collect(ask(place.runnerAt(`https://${server.host}`)))).toEqual([
      { type: 'failure', failure: expect.objectContaining({ kind: 'network' }) },
    ]);
  });
});
