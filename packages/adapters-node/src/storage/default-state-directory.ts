import { isAbsolute, join } from 'node:path';
import type { Environment } from '../processes/programs/child-environment.ts';

/** Where a program of this platform keeps what it needs between runs, by the platform's own conventions. */
export function defaultStateDirectory(program: string, environment: Environment, home: string): string {
  return join(platformStateDirectory(environment, home), program);
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
