import { spawn } from 'node:child_process';
import { hostNearness } from '@gemini-mcp/core/internal';
import { buildHelperEnvironment, type Environment } from './programs/child-environment.ts';
import { findSystemProgram, systemDirectories } from './programs/find-system-program.ts';

export type OpenBrowserOptions = {
  readonly environment: Environment;
  readonly platform?: NodeJS.Platform;
  /** The directories in which to look for the system's program that opens browsers. */
  readonly directories?: readonly string[];
};

/** The variables that a desktop program needs to show a window. */
const desktopNames = [
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XDG_SESSION_TYPE', 'DESKTOP_SESSION', 'KDE_SESSION_VERSION'],
];

/**
 * Opens a URL in the browser of the user at this machine. Resolves to whether that could be attempted: not over SSH, not without a desktop,
 * and only for an https URL or one of this machine. Uses one of the system's own programs. Never rejects.
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

/** Contains no character with a meaning to a program that parses a Windows command line. */
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

/** The program may run as long as the browser, so it is detached. */
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
