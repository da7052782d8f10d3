import type { Asked, ToolEndpointMutant } from './tool-endpoint-mutant.ts';

function letting(name: string, wrong: string, change: ToolEndpointMutant['asked']): ToolEndpointMutant {
  return { name, wrong, ...(change && { asked: change }) };
}

const bearer = (token: string): Pick<Asked, 'authorization'> => ({ authorization: `Bearer ${token}` });

/** Whom they let in. */
export const endpointStrangerMutants: readonly ToolEndpointMutant[] = [
  letting('any-token', 'lets in any token', (asked, { token }) => ({ ...asked, ...bearer(token) })),
  letting('no-token', 'lets in who brings no token', (asked, { token }) =>
    asked.authorization === null ? { ...asked, ...bearer(token) } : asked,
  ),
  letting('empty-token', 'lets in an empty token', (asked, { token }) =>
    asked.authorization?.trim() === 'Bearer' ? { ...asked, ...bearer(token) } : asked,
  ),
  letting('beginning-of-token', 'lets in the beginning of a token', (asked, { token }) =>
    asked.authorization !== null &&
    asked.authorization.length > 'Bearer '.length + 10 &&
    `Bearer ${token}`.startsWith(asked.authorization)
      ? { ...asked, ...bearer(token) }
      : asked,
  ),
  letting('longer-token', 'lets in a token with more after it', (asked, { token }) =>
    asked.authorization?.startsWith(`Bearer ${token}`) ? { ...asked, ...bearer(token) } : asked,
  ),
  letting('tokens-by-length', 'lets in what is as long as a token', (asked, { token }) =>
    asked.authorization?.length === `Bearer ${token}`.length ? { ...asked, ...bearer(token) } : asked,
  ),
  {
    name: 'tells-of-tools',
    wrong: 'lists the tools for who has no token',
    asked: (asked, { token }) => (asked.body.includes('tools/list') ? { ...asked, ...bearer(token) } : asked),
  },
  {
    name: 'explains-refusals',
    wrong: 'answers strangers with a message',
    answered: (answer) =>
      answer.status === 401 ? { status: 401, body: '{"jsonrpc":"2.0","error":{"message":"no token"}}' } : answer,
  },
  {
    name: 'strangers-are-forbidden',
    wrong: 'answers strangers with another status',
    answered: (answer) => (answer.status === 401 ? { ...answer, status: 403 } : answer),
  },
  letting('any-path', 'serves a run on any path', (asked, { path }) => ({ ...asked, path })),
  letting('any-origin', 'lets in pages of browsers', (asked) => ({ ...asked, origin: null })),
  letting('null-origin', 'lets in pages that have no origin of their own', (asked) =>
    asked.origin === 'null' ? { ...asked, origin: null } : asked,
  ),
  letting('own-origin', 'lets in pages of its own origin', (asked, { host }) =>
    asked.origin === `http://${host}` ? { ...asked, origin: null } : asked,
  ),
  letting('any-host', 'lets in requests under any name', (asked, { host }) => ({ ...asked, host })),
  letting('names-that-begin-so', 'lets in names that begin as that of loopback does', (asked, { host }) =>
    asked.host.startsWith('127.0.0.1') ? { ...asked, host } : asked,
  ),
  letting('names-with-dot', 'lets in the name of loopback that ends with a dot', (asked, { host }) =>
    asked.host.startsWith('localhost.') ? { ...asked, host } : asked,
  ),
  letting('any-port', 'lets in the name of loopback with any port', (asked, { host }) =>
    /^127\.0\.0\.1:\d+$/.test(asked.host) ? { ...asked, host } : asked,
  ),
  {
    name: 'answers-get',
    wrong: 'answers a GET',
    answered: (answer, { method }) => (method === 'GET' ? { status: 200, body: '' } : answer),
  },
  {
    name: 'answers-options',
    wrong: 'answers what a browser asks ahead',
    answered: (answer, { method }) => (method === 'OPTIONS' ? { status: 204, body: '' } : answer),
  },
  {
    name: 'answers-put',
    wrong: 'takes a PUT for a POST',
    asked: (asked) => (asked.method === 'PUT' ? { ...asked, method: 'POST', body: asked.body || '{}' } : asked),
  },
];
