import { join } from 'node:path';
import { keepFromChildrenPiece } from '../../../inside-the-cli/keep-from-children.ts';
import { leadLentCallsPiece } from '../../../inside-the-cli/lead-lent-calls.ts';
import { buildPreload, preloadVariables, withPreload } from '../../../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../../../inside-the-cli/report-model-calls.ts';
import type { Command } from '../../../process/contained-command.ts';
import { buildChildEnvironment } from '../../environment/child-environment.ts';
import { lentLeading } from '../../lending/lent-address.ts';
import { lentServerName, loopbackVariables } from '../../lending/lent-server.ts';
import { buildSystemFile } from '../../message/system-prompt.ts';
import type { PrivateFile, RunDirectory } from '../../run-directory/run-directory.ts';
import { buildCliSettings, formatCliSettings } from '../../settings/cli-settings.ts';
import { buildPolicy } from '../../settings/tool-policy.ts';
import type { ProcessKind } from './process-kind.ts';

/** What a process of a kind is started with, and the files that it finds in its private directory. */
export type ProcessPlan = {
  readonly files: readonly PrivateFile[];
  readonly command: Command;
  readonly environment: Readonly<Record<string, string>>;
};

const policyFile = 'policy.toml';
const systemFile = 'system.md';

/**
 * Says how a warm process is started. The flags are those of a headless run, in `--flag=value` form, with the session mode
 * in the place of an output format: nothing of a caller is in them but the name of a model.
 */
export function planProcess(kind: ProcessKind, directory: RunDirectory): ProcessPlan {
  const { cli, model, systemPrompt, tools, lends, authType, allowsGoogleLogs, environment, path } = kind;
  const { root, home, temporary } = directory;
  const policy = join(root, policyFile);
  const childEnvironment = buildChildEnvironment({
    environment,
    path,
    homeDirectory: home,
    temporaryDirectory: temporary,
    variables: {
      ...preloadVariables(cli.command, root),
      ...(lends && loopbackVariables(environment)),
      ...(systemPrompt !== null && { GEMINI_SYSTEM_MD: join(root, systemFile) }),
    },
  });
  const preload = [
    keepFromChildrenPiece(),
    reportModelCallsPiece('acp'),
    ...(lends ? [leadLentCallsPiece(lentLeading(directory))] : []),
  ];
  const { file, arguments: words } = withPreload(cli.command, root);
  const settings = buildCliSettings({ authType, allowsGoogleLogs, model, tools });
  return {
    files: [
      { path: 'home/.gemini/settings.json', content: formatCliSettings(settings) },
      buildPreload(preload),
      { path: policyFile, content: buildPolicy(tools) },
      ...(systemPrompt === null ? [] : [{ path: systemFile, content: buildSystemFile(systemPrompt) }]),
    ],
    command: {
      file,
      arguments: [
        ...words,
        '--acp',
        `--model=${model}`,
        `--policy=${policy}`,
        `--admin-policy=${policy}`,
        `--allowed-mcp-server-names=${lends ? lentServerName : 'none'}`,
        '--extensions=none',
      ],
    },
    environment: childEnvironment,
  };
}
