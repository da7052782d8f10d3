import { type SettingTable, setting } from './setting.ts';
import * as types from './value-types.ts';

/** What can be set of the files that calls may have read. */
export const fileSettings = {
  /** Relative paths of callers start here; an allowed root, unless `noRootBecause` says why there is none. */
  workingDirectory: setting({
    variable: 'GEMINI_CLI_WORKING_DIR',
    flag: 'working-dir',
    group: 'Files',
    type: types.directory,
    default: null,
    shownDefault: "the server's current directory",
    description:
      'An existing absolute directory. Relative names start here; it is an allowed root. A current directory that is `/` or your home is none.',
  }),
  /** Further directories that may be read. */
  roots: setting({
    variable: 'GEMINI_MCP_ROOTS',
    flag: 'roots',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Existing absolute directories below which files may be read as well, separated by `:` (`;` on Windows). A link among them is followed when the server starts, and not again.',
  }),
  /** Directories in which the CLI may run as in a project of the user's own: it starts programs of theirs there. */
  trustedDirectories: setting({
    variable: 'GEMINI_MCP_TRUSTED_DIRS',
    flag: 'trusted-dirs',
    group: 'Files',
    type: types.directories,
    default: [],
    description:
      'Existing absolute directories, separated likewise, into which Gemini may look as well. In one that a call with `yolo` names the CLI itself runs: its `GEMINI.md` and `.gemini/settings.json` take effect then, and hooks that those settings enable.',
  }),
  /** Whether files that look like secrets may be sent when a caller names them. */
  allowSensitive: setting({
    variable: 'GEMINI_MCP_ALLOW_SENSITIVE',
    flag: 'allow-sensitive',
    group: 'Files',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, `files` may name files that look like secrets; patterns and directories never send them.',
  }),
} satisfies SettingTable;
