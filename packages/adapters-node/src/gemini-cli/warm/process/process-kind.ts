import { createHash, randomUUID } from 'node:crypto';
import { type RunRequest, type RunSettings, systemPromptOf } from '@gemini-mcp/core';
import { type Environment, inheritedOnly, withOwnKey } from '../../../processes/programs/child-environment.ts';
import { detectAuthType, holdsCredentials, identifyLogin } from '../../environment/cli-login.ts';
import { addUserEnvironment } from '../../environment/user-environment.ts';
import type { GeminiCli } from '../../finding/locate-gemini-cli.ts';
import type { AuthType } from '../../settings/cli-settings.ts';
import { chooseTools } from '../../settings/tool-policy.ts';

/** All that the sessions of one process have in common. */
export type ProcessKind = {
  /** The same for equal kinds and for no others. Tells nothing of what it was made of. */
  readonly key: string;
  /** Whether it is for one call, which may hang its process: no other is to suffer from it. */
  readonly isAlone: boolean;
  readonly cli: GeminiCli;
  /** What the process starts with; each session has its own after that. */
  readonly model: string;
  /** Null for the CLI's own. */
  readonly systemPrompt: string | null;
  readonly tools: readonly string[];
  /** Whether its sessions are lent tools, each by an address and a token of its own. */
  readonly lends: boolean;
  readonly authType: AuthType;
  readonly allowsGoogleLogs: boolean;
  /** Whether there is anything to log in with: the session mode would wait for somebody who logs in. */
  readonly hasLogin: boolean;
  /** The server's variables with those of the user and the key of the call. */
  readonly environment: Environment;
  readonly path: string;
  /** Where the login lies that the process uses; null for a key of the call's own. */
  readonly loginDirectory: string | null;
};

export type ProcessKindOptions = {
  readonly environment: Environment;
  readonly userDirectory: string;
  readonly cli: GeminiCli;
  readonly path: string;
  readonly request: Pick<RunRequest, 'model'>;
  readonly settings: RunSettings;
  readonly lends: boolean;
  readonly allowsGoogleLogs?: boolean;
};

/** Says which kind of process can carry a request. Asks for the login each time: the user may have changed it meanwhile. */
export async function describeProcessKind(options: ProcessKindOptions): Promise<ProcessKind> {
  const { userDirectory, cli, path, request, settings, lends, allowsGoogleLogs = false } = options;
  const { apiKey } = settings;
  const systemPrompt = systemPromptOf(settings);
  const environment = withOwnKey(addUserEnvironment(options), apiKey);
  const authType = apiKey === null ? detectAuthType({ userDirectory, environment }) : ('gemini-api-key' as const);
  const loginDirectory = apiKey === null ? userDirectory : null;
  const tools = chooseTools(settings.tools, lends) ?? [];
  const login = loginDirectory === null ? [] : await identifyLogin(loginDirectory);
  const parts = [
    [cli.path, cli.version, authType, systemPrompt, tools],
    Object.entries(inheritedOnly(environment)).sort(([one], [other]) => (one < other ? -1 : 1)),
    path,
    // A process knows the login that it found for as long as it lives.
    login,
    // The model that searches is in the settings of the process.
    tools.includes('google_web_search') ? request.model : null,
  ];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const hasLogin = authType === 'oauth-personal' ? holdsCredentials(login) : authType !== null;
  return {
    key,
    isAlone: false,
    cli,
    model: request.model,
    systemPrompt,
    tools,
    lends,
    authType,
    allowsGoogleLogs,
    hasLogin,
    environment,
    path,
    loginDirectory,
  };
}

/** The same kind for one call alone. */
export function aloneOfKind(kind: ProcessKind): ProcessKind {
  return { ...kind, key: `${kind.key} ${randomUUID()}`, isAlone: true };
}
