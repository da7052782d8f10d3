import { isAbsolute, join } from 'node:path';
import type { Environment } from './environment.ts';

/** Where programs of this platform keep what they need between runs, by its own conventions. */
export function defaultStateDirectory(environment: Environment, home: string): string {
  return join(platformStateDirectory(environment, home), 'gemini-mcp-server');
}

function platformStateDirectory(environment: Environment, home: string): string {
  if (process.platform === 'darwin') {
    return join(home, 'Library', 'Application Support');
  }
  if (process.platform === 'win32') {
    return environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
  }
  const xdg = environment['XDG_STATE_HOME'];
  return xdg && isAbsolute(xdg) ? xdg : join(home, '.local', 'state');
}
