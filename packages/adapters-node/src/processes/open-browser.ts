import { spawn } from 'node:child_process';
import { hostNearness } from '@gemini-mcp/core/internal';
import { buildHelperEnvironment, type Environment } from './programs/child-environment.ts';
import { findSystemProgram, systemDirectories } from './programs/find-system-program.ts';

export type OpenBrowserOptions = {
  readonly environment: Environment;
  readonly platform?: NodeJS.Platform;
  /** Where the program of the system that opens browsers is looked for. */
  readonly directories?: readonly string[];
};

/** What a program of a desktop needs to show something. */
const desktopNames = [
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'DESKTOP_SESSION', 'KDE_SESSION_VERSION'],
];

/**
 * Has the browser of the one who sits at this machine show an address. Resolves to whether that could be tried: not over SSH, not without a
 * desktop, and only for an address of https, or of this machine. The program that does it is one of the system's own. Never rejects.
 */
export async function openBrowser(url: string, options: OpenBrowserOptions): Promise<boolean> {
  const { environment, platform = process.platform, directories } = options;
  if (!isShowable(url) || !hasDesktop(environment, platform)) {
    return false;
  }
  const [name, ...words] = commandOf(platform);
  const program = await findSystemProgram(name, directories ?? placesOf(platform, environment)).catch(() => null);
  if (program === null) {
    return false;
  }
  const desktop = desktopNames.map((one) => [one, environment[one]] as const);
  const env = {
    ...buildHelperEnvironment(environment, systemDirectories.join(':')),
    ...Object.fromEntries(desktop.filter(([, value]) => value !== undefined)),
  };
  return await starts(program, [...words, url], env);
}

/** No character of it has a meaning for a program that reads a command line of Windows. */
function isShowable(url: string): boolean {
  const address = URL.canParse(url) ? new URL(url) : null;
  const isHere = address !== null && hostNearness(address.hostname) === 'this-machine';
  const isSafe = address?.protocol === 'https:' || (address?.protocol === 'http:' && isHere);
  return isSafe && /^[\w\-.~:/?#[\]@!$&'()*+,;=%]{1,16000}$/.test(url) && address?.username === '';
}

function hasDesktop(environment: Environment, platform: NodeJS.Platform): boolean {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('SSH_CONNECTION') || has('SSH_TTY') || has('SSH_CLIENT') || has('CI')) {
    return false;
  }
  return platform !== 'linux' || has('DISPLAY') || has('WAYLAND_DISPLAY');
}

function commandOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  switch (platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['rundll32.exe', 'url.dll,FileProtocolHandler'];
    default:
      return ['xdg-open'];
  }
}

function placesOf(platform: NodeJS.Platform, environment: Environment): readonly string[] {
  const windows = environment['SystemRoot'] ?? environment['SYSTEMROOT'];
  return platform === 'win32' && windows !== undefined ? [`${windows}\\System32`] : systemDirectories;
}

/** It may stay for as long as the browser does: it is left to itself. */
function starts(program: string, words: readonly string[], env: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, words, { env: { ...env }, detached: true, stdio: 'ignore', windowsHide: true });
      child.once('error', () => resolve(false));
      child.once('spawn', () => {
        child.unref();
        resolve(true);
      });
    } catch {
      resolve(false);
    }
  });
}
