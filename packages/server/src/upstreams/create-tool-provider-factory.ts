import type { ToolProviderFactory } from '@gemini-mcp/core';
import { usualProgram } from '@gemini-mcp/core/internal';
import { ownerOnThisMachine, UpstreamToolProviderFactory } from '@gemini-mcp/gemini/internal';
import { toolDeclarations } from '@gemini-mcp/mcp/internal/declarations';
import type { ResolvePart, ServerOptions } from '../composition/server-parts.ts';

/** Creates model tools from the upstream servers of this process. */
export function createToolProviderFactory(
  part: ResolvePart,
  { isOfOneUser, program = usualProgram }: Pick<ServerOptions, 'isOfOneUser' | 'program'>,
): ToolProviderFactory {
  return new UpstreamToolProviderFactory({
    upstreams: part('upstreams').upstreams,
    answers: part('answers'),
    ownerOf: (owner) => (isOfOneUser ? ownerOnThisMachine : owner),
    ownNames: toolDeclarations.map(({ name }) => name),
    howToAdd: `${program} mcp add adds one.`,
  });
}
