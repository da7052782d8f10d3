import type { ServerLender } from '@gemini-mcp/core';
import { usualProgram } from '@gemini-mcp/core/internal';
import { ownerOnThisMachine, UpstreamLender } from '@gemini-mcp/gemini/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import type { ResolvePart, ServerOptions } from '../composition/server-parts.ts';

/** Lends tools of the other servers that this process speaks with. */
export function createServerLender(
  part: ResolvePart,
  { isOfOneUser, program = usualProgram }: Pick<ServerOptions, 'isOfOneUser' | 'program'>,
): ServerLender {
  return new UpstreamLender({
    hub: part('upstreams').hub,
    answers: part('answers'),
    ownerOf: (owner) => (isOfOneUser ? ownerOnThisMachine : owner),
    ownNames: toolDeclarations.map(({ name }) => name),
    howToAdd: `${program} mcp add adds one.`,
  });
}
