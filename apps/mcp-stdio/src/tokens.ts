import type { ComposedServer } from '@gemini-mcp/server';
import type { InjectionToken } from 'tsyringe';
import type { SurfacesByRoots } from './surfaces-by-roots.ts';

// Each token carries its type here, in a file of its own: where it is declared, TypeScript would narrow it to a plain symbol.
export const SERVER: InjectionToken<ComposedServer> = Symbol('Server');
export const SURFACES: InjectionToken<SurfacesByRoots> = Symbol('Surfaces');
