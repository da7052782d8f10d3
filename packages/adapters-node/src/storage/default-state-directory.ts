import { isAbsolute, join } from 'node:path';
import type { Environment } from '../processes/programs/child-environment.ts';

/** The directory for a program's state between runs, by this platform's conventions. */
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
