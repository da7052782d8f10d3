import { runMarkerName } from '../../process/marked-processes.ts';
import { sandboxHome, unseenNamesFile } from './sandbox/sandbox-view.ts';

export type CommandEnvironmentOptions = {
  /** Marks every process of the run. */
  readonly runId: string;
  /** Directories of programs outside of the system's own. */
  readonly toolDirectories: readonly string[];
  /** Directories of programs of the project: they come last, so that none of them takes the place of one of the system's. */
  readonly projectDirectories: readonly string[];
  /** Where tools look for their own files, such as CARGO_HOME. */
  readonly toolVariables: Readonly<Record<string, string>>;
  /** That of the server, of which only the language and the hour are taken. */
  readonly outer: Readonly<Record<string, string | undefined>>;
};

const systemDirectories = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

const carried = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'] as const;

/** All that a command finds in its environment. Nothing else of the server's is in it: keys least of all. */
export function commandEnvironment(options: CommandEnvironmentOptions): Readonly<Record<string, string>> {
  const { runId, toolDirectories, projectDirectories, toolVariables, outer } = options;
  const kept = carried.flatMap((name) => (outer[name] === undefined ? [] : [[name, outer[name]]]));
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(kept),
    ...toolVariables,
    PATH: [...toolDirectories, ...systemDirectories, '/run/current-system/sw/bin', ...projectDirectories].join(':'),
    HOME: sandboxHome,
    USER: 'gemini',
    LOGNAME: 'gemini',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    // What only looks takes no lock in a repository that cannot be written.
    GIT_OPTIONAL_LOCKS: '0',
    // The names that are held are no news.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.excludesFile',
    GIT_CONFIG_VALUE_0: unseenNamesFile,
    [runMarkerName]: runId,
  };
}
