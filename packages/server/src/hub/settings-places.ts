import { join } from 'node:path';
import type { SettingsWriter } from '@gemini-mcp/adapters-node/internal';
import type { Configuration } from '../settings/configuration.ts';

type SettingsScope = 'operator' | 'user' | 'project';

/** Where settings of other servers may lie. */
export type SettingsPlace = {
  readonly scope: SettingsScope;
  readonly path: string;
  readonly writer: SettingsWriter;
  /** Where its programs start, and from where its relative paths lead. */
  readonly directory: string;
};

export type SettingsPlacesOptions = {
  readonly configuration: Pick<
    Configuration,
    'serversFile' | 'userServersFile' | 'workingDirectory' | 'noRootBecause' | 'userDirectory'
  >;
  /** Over HTTP it does not belong to one user: only what its operator names counts, nothing that lies in a home or a project. */
  readonly isOfOneUser: boolean;
  readonly operatorFile?: string;
};

/** In the order in which they count: the first has the last word. */
export function settingsPlaces({
  configuration,
  isOfOneUser,
  operatorFile = usualOperatorFile(),
}: SettingsPlacesOptions): readonly SettingsPlace[] {
  const { serversFile, userServersFile, workingDirectory, noRootBecause, userDirectory } = configuration;
  const home = join(userDirectory, '..');
  const own = serversFile ?? (isOfOneUser ? userServersFile : 'off');
  const hasProject = isOfOneUser && own !== 'off' && noRootBecause === null;
  return [
    { scope: 'operator', path: operatorFile, writer: 'administrator', directory: home },
    ...(own === 'off' ? [] : [{ scope: 'user', path: own, writer: 'user', directory: home } as const]),
    ...(hasProject
      ? [
          {
            scope: 'project',
            path: join(workingDirectory, '.gemini-mcp', 'settings.json'),
            writer: 'anyone',
            directory: workingDirectory,
          } as const,
        ]
      : []),
  ];
}

function usualOperatorFile(): string {
  const file = ['gemini-mcp-server', 'settings.json'];
  switch (process.platform) {
    case 'darwin':
      return join('/Library/Application Support', ...file);
    case 'win32':
      return join('C:\\ProgramData', ...file);
    default:
      return join('/etc', ...file);
  }
}
