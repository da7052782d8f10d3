import { scopes } from '@gemini-mcp/mcp/internal/declarations';
import type { Principal } from './principal.ts';
import { principalOwner } from './principal-owner.ts';

/** The holder of the one token of the operator: may do everything, with the directories of the server. */
export const localPrincipal: Principal = {
  name: 'local',
  owner: principalOwner('local', 'local'),
  scopes: new Set(scopes),
  roots: null,
};
