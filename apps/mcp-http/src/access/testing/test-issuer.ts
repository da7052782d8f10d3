import { createServer } from 'node:http';
import {
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { listenOnLoopback } from './listen-on-loopback.ts';

export type TestIssuer = {
  /** The JSON at each path; tests change it. */
  readonly answers: Map<string, { readonly status: number; readonly body: unknown }>;
  readonly issuer: string;
  /** Requested paths, in order. */
  readonly asked: readonly string[];
  /** The key with the id `rsa`, as the issuer publishes it. */
  readonly publicKey: JWK;
  /** A token signed by the issuer. The header has `alg` and `kid`; the claims are used unchanged. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  close(): Promise<void>;
};

type Pair = GenerateKeyPairResult & { readonly kid: string; readonly alg: string };

let made: Promise<readonly Pair[]> | undefined;

/** All issuers of a test file share their keys: creating an RSA key takes long. */
function keyPairs(): Promise<readonly Pair[]> {
  const keys = [
    { kid: 'rsa', alg: 'RS256' },
    { kid: 'ec', alg: 'ES256' },
    { kid: 'ed', alg: 'EdDSA' },
  ];
  made ??= Promise.all(
    keys.map(async (key) => ({ ...key, ...(await generateKeyPair(key.alg, { extractable: true })) })),
  );
  return made;
}

/** An issuer that signs any claims, so that tests can use tokens that no real issuer would create. */
export async function startTestIssuer(path = ''): Promise<TestIssuer> {
  const asked: string[] = [];
  const answers: TestIssuer['answers'] = new Map();
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status, body } = answers.get(request.url ?? '') ?? { status: 404, body: {} };
    response.writeHead(status, { 'Content-Type': 'application/json', Location: '/elsewhere' });
    response.end(JSON.stringify(body));
  });
  const { port, close } = await listenOnLoopback(server);
  const issuer = `http://127.0.0.1:${port}${path}`;
  const pairs = await keyPairs();
  const published = await Promise.all(
    pairs.map(async ({ kid, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, use: 'sig' })),
  );
  answers.set('/jwks', { status: 200, body: { keys: published } });
  const metadata = { issuer, jwks_uri: `http://127.0.0.1:${port}/jwks` };
  answers.set(`/.well-known/oauth-authorization-server${path}`, { status: 200, body: metadata });
  return {
    answers,
    issuer,
    asked,
    publicKey: published[0] ?? {},
    sign: async (claims, header = {}) => {
      const alg = header.alg ?? 'RS256';
      const pair = pairs.find((candidate) => candidate.alg === alg) ?? pairs[0];
      if (pair === undefined) {
        throw new Error('there is a key');
      }
      return new SignJWT(claims).setProtectedHeader({ kid: pair.kid, ...header, alg }).sign(pair.privateKey);
    },
    close,
  };
}
