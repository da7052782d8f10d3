import type { Scope } from '../scope.ts';
import { serverScopes } from './server-tool.ts';

/** The scopes that a call needs of a tool that is none of ours, by its name alone: none where it cannot be one of another server. */
export function scopesOfServerTool(name: string): readonly Scope[] {
  return name.includes('__') || name === 'find_tools' || name === 'call_tool' ? serverScopes : [];
}
