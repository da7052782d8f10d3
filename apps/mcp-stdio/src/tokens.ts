import type { ComposedServer, ServerParts } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';
import type { SurfacesByRoots } from './composition-root.ts';

// Each token carries its type here, in its own file: TypeScript would narrow it to a plain symbol at its declaration.
/** One for each part of the server. To put another adapter in the place of ours, register it with its token. */
export const PARTS: { readonly [Name in keyof ServerParts]: InjectionToken<ServerParts[Name]> } = {
  observers: Symbol('observers'),
  clock: Symbol('clock'),
  finder: Symbol('finder'),
  loopbackToolServer: Symbol('loopbackToolServer'),
  runners: Symbol('runners'),
  runner: Symbol('runner'),
  modelChain: Symbol('modelChain'),
  resolverOf: Symbol('resolverOf'),
  records: Symbol('records'),
  localRecords: Symbol('localRecords'),
  sessions: Symbol('sessions'),
  usage: Symbol('usage'),
  audit: Symbol('audit'),
  answers: Symbol('answers'),
  executor: Symbol('executor'),
  changes: Symbol('changes'),
  approvals: Symbol('approvals'),
  upstreams: Symbol('upstreams'),
  queue: Symbol('queue'),
  previewQueue: Symbol('previewQueue'),
  health: Symbol('health'),
  knownModels: Symbol('knownModels'),
  jobs: Symbol('jobs'),
};
export const SERVER: InjectionToken<ComposedServer> = Symbol('Server');
export const SURFACES: InjectionToken<SurfacesByRoots> = Symbol('Surfaces');
