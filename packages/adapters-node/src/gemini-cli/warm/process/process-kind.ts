import { createHash, randomUUID } from 'node:crypto';
import { type RunRequest, type RunSettings, systemPromptOf } from '@gemini-mcp/core';
import { type Environment, inheritedOnly, withOwnKey } from '../../../processes/programs/child-environment.ts';
import { detectAuthType, holdsCredentials, identifyLogin } from '../../environment/cli-login.ts';
import { addUserEnvironment } from '../../environment/user-environment.ts';
import type { GeminiCli } from '../../finding/locate-gemini-cli.ts';
import type { AuthType } from '../../settings/cli-settings.ts';
import { chooseTools } from '../../settings/tool-policy.ts';

/** The properties that all sessions of one process share. */
export type ProcessKind = {
  /** Equal for equal kinds, and different for different ones. Reveals nothing of its inputs. */
  readonly key: string;
  /** Whether it serves one call only, which may hang its process: no other call must suffer from it. */
  readonly isAlone: boolean;
  readonly cli: GeminiCli;
  /** The model that the process starts with; each session then sets its own. */
  readonly model: string;
  /** Null for the CLI's own prompt. */
  readonly systemPrompt: string | null;
  readonly tools: readonly string[];
  /** Whether its sessions have model tools, each with its own address and token. */
  readonly hasModelTools: boolean;
  readonly authType: AuthType;
  readonly allowsGoogleLogs: boolean;
  /** Whether it has a login: without one the session mode would wait for somebody to log in. */
  readonly hasLogin: boolean;
  /** The server's variables with those of the user and the key of the call. */
  readonly environment: Environment;
  readonly path: string;
  /** The directory of the login that the process uses; null for a key of the call's own. */
  readonly loginDirectory: string | null;
};

export type ProcessKindOptions = {
  readonly environment: Environment;
  readonly userDirectory: string;
  readonly cli: GeminiCli;
  readonly path: string;
  readonly request: Pick<RunRequest, 'model'>;
  readonly settings: RunSettings;
  readonly hasModelTools: boolean;
  readonly allowsGoogleLogs?: boolean;
};

/** Determines the kind of process that can carry a request. Reads the login each time: the user may have changed it meanwhile. */
export async function describeProcessKind(options: ProcessKindOptions): Promise<ProcessKind> {
  const { userDirectory, cli, path, request, settings, hasModelTools, allowsGoogleLogs = false } = options;
  const { apiKey } = settings;
  const systemPrompt = systemPromptOf(settings);
  const environment = withOwnKey(addUserEnvironment(options), apiKey);
  const authType = apiKey === null ? detectAuthType({ userDirectory, environment }) : ('gemini-api-key' as const);
  const loginDirectory = apiKey === null ? userDirectory : null;
  const tools = chooseTools(settings.tools, hasModelTools) ?? [];
  const login = loginDirectory === null ? [] : await identifyLogin(loginDirectory);
  const parts = [
    [cli.path, cli.version, authType, systemPrompt, tools],
    Object.entries(inheritedOnly(environment)).sort(([one], [other]) => (one < other ? -1 : 1)),
    path,
    // A process keeps the login that it found for its whole life.
    login,
    // The settings of the process fix the model that searches.
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
    hasModelTools,
    authType,
    allowsGoogleLogs,
    hasLogin,
    environment,
    path,
    loginDirectory,
  };
}

/** The same kind for one call only. */
export function aloneOfKind(kind: ProcessKind): ProcessKind {
  return { ...kind, key: `${kind.key} ${randomUUID()}`, isAlone: true };
}
