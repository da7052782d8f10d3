import type { Asked, LoopbackToolServerMutant } from './loopback-tool-server-mutant.ts';

function letting(name: string, wrong: string, change: LoopbackToolServerMutant['asked']): LoopbackToolServerMutant {
  return { name, wrong, ...(change && { asked: change }) };
}

const bearer = (token: string): Pick<Asked, 'authorization'> => ({ authorization: `Bearer ${token}` });

/** Mutants of who is let in. */
export const endpointStrangerMutants: readonly LoopbackToolServerMutant[] = [
  letting('any-token', 'lets in any token', (asked, { token }) => ({ ...asked, ...bearer(token) })),
  {
    name: 'lists-for-strangers',
    wrong: 'lists the tools for a program without a token',
    asked: (asked, { token }) => (asked.body.includes('tools/list') ? { ...asked, ...bearer(token) } : asked),
  },
  letting('any-origin', 'lets in pages of browsers', (asked) => ({ ...asked, origin: null })),
  letting('names-with-dot', 'accepts the name of loopback with a dot at its end', (asked, { host }) =>
    asked.host.startsWith('localhost.') ? { ...asked, host } : asked,
  ),
  {
    name: 'answers-put',
    wrong: 'takes a PUT for a POST',
    asked: (asked) => (asked.method === 'PUT' ? { ...asked, method: 'POST', body: asked.body || '{}' } : asked),
  },
];
