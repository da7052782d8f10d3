import type { ServerLender } from '@gemini-mcp/core';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import { ownerOnThisMachine } from '../hub/create-hub.ts';
import { UpstreamLender } from '../hub/upstream-lender.ts';
import type { ResolvePart, ServerOptions } from './server-parts.ts';

/** Lends tools of the other servers that this process speaks with. */
export function createServerLender(
  part: ResolvePart,
  { isOfOneUser }: Pick<ServerOptions, 'isOfOneUser'>,
): ServerLender {
  const ownerOf = (owner: string): string => (isOfOneUser ? ownerOnThisMachine : owner);
  return new UpstreamLender({
    hub: part('upstreams').hub,
    answers: part('answers'),
    ownerOf,
    ownNames: toolDeclarations.map(({ name }) => name),
  });
}
