import { join } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import type { PrivateFile } from '../../../disk/run-directory/run-directory.ts';
import { type Command, containCommand } from '../../../processes/contained-command.ts';
import type { StartProblem } from '../../../processes/describe-start-error.ts';
import { buildChildEnvironment } from '../../../processes/programs/child-environment.ts';
import { describeShortage } from '../../../processes/system-shortage.ts';
import { type CliRunDirectory, createCliRunDirectory } from '../../cli-run-directory.ts';
import { compileCacheVariables, keepsCompiledCode } from '../../environment/compile-cache.ts';
import { createRunRedactor } from '../../environment/create-run-redactor.ts';
import { keepFromChildrenPiece } from '../../inside-the-cli/keep-from-children.ts';
import { buildPreload, preloadVariables, withPreload } from '../../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../../inside-the-cli/report-model-calls.ts';
import { rerouteToolCallsPiece } from '../../inside-the-cli/reroute-tool-calls.ts';
import { buildSystemFile } from '../../message/system-prompt.ts';
import { buildCliSettings, formatCliSettings } from '../../settings/cli-settings.ts';
import { loopbackVariables, modelToolServerName, toolRerouting } from '../../settings/model-tools.ts';
import { buildPolicy } from '../../settings/tool-policy.ts';
import { parseAcpAgent } from '../protocol/acp-messages.ts';
import type { WarmLimits } from '../warm-limits.ts';
import { AcpProcess, type AcpProcessEnd } from './acp-process.ts';
import type { ProcessKind } from './process-kind.ts';

export type StartOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly runsDirectory: string;
  readonly userDirectory: string;
  readonly kind: ProcessKind;
  /** Called as soon as the process exists, so that it can be ended before it has started. */
  readonly onSpawned: (process: AcpProcess) => void;
};

export type AcpStart =
  | { readonly ok: true; readonly process: AcpProcess }
  /** The process and its files are gone. `detail` holds untrusted text, redacted. */
  | ({ readonly ok: false } & StartProblem);

const protocolVersion = 1;

/** Starts a process of a kind and initializes it. Never rejects. */
export async function startAcpProcess(options: StartOptions): Promise<AcpStart> {
  const { runsDirectory, kind } = options;
  let directory: CliRunDirectory;
  try {
    directory = await createCliRunDirectory({ runsDirectory, loginDirectory: kind.loginDirectory });
  } catch (error) {
    return notStartedFor(error);
  }
  try {
    return await greet(await spawn(options, directory), options.limits);
  } catch (error) {
    await directory.remove();
    return notStartedFor(error);
  }
}

async function spawn(options: StartOptions, directory: CliRunDirectory): Promise<AcpProcess> {
  const { clock, limits, kind, runsDirectory, userDirectory, onSpawned } = options;
  const { files, command, environment } = planProcess(kind, directory);
  await directory.write(files);
  const started = new AcpProcess({
    clock,
    limits,
    directory,
    command: await containCommand(command),
    environment: {
      ...environment,
      ...(keepsCompiledCode && (await compileCacheVariables(join(runsDirectory, 'compiled')))),
    },
    redact: createRunRedactor({ root: directory.root, userDirectory, environment: kind.environment }),
  });
  onSpawned(started);
  return started;
}

async function greet(process: AcpProcess, { startTimeoutMs }: WarmLimits): Promise<AcpStart> {
  const greeting = { protocolVersion, clientCapabilities: {} };
  const reply = await process.request('initialize', greeting, startTimeoutMs);
  if (reply !== 'timeout' && reply.ok) {
    const agent = parseAcpAgent(reply.result);
    if (agent !== 'unreadable' && agent.canLoadSessions) {
      return { ok: true, process };
    }
  }
  if (reply === 'timeout') {
    process.fault(`did not come up within ${startTimeoutMs / 1_000} s`);
  } else if (reply.ok) {
    process.fault('offers no sessions that we support');
  } else if (!reply.closed) {
    process.fault(`refused to start sessions: ${process.redact(reply.message).slice(0, 500)}`);
  }
  const end = await process.ended;
  return { ok: false, isShortage: end.spawnError?.isShortage === true, detail: describeEnd(end) };
}

/** Why the process did not start, in one line or a few. Only for one that has carried no call: stderr is part of it. */
function describeEnd({ spawnError, fault, exitCode, signal, stderr }: AcpProcessEnd): string {
  const ending = exitCode === null ? `it was ended by ${signal ?? 'an unknown cause'}` : `it ended with ${exitCode}`;
  const reason = spawnError?.detail ?? (fault === null ? ending : `it ${fault}`);
  const unknownFlag = /^Unknown arguments?:.*/m.exec(stderr)?.[0];
  return [reason, unknownFlag ?? stderr.trim().slice(-1_000)].filter((part) => part !== '').join('\n');
}

function notStartedFor(error: unknown): AcpStart {
  const shortage = describeShortage(error);
  const detail = shortage ?? (error instanceof Error ? error.message : String(error));
  return { ok: false, isShortage: shortage !== null, detail };
}

/** The command of a process of a kind, and the files in its private directory. */
type ProcessPlan = {
  readonly files: readonly PrivateFile[];
  readonly command: Command;
  readonly environment: Readonly<Record<string, string>>;
};

const policyFile = 'policy.toml';
const systemFile = 'system.md';

/** The flags are those of a headless run, with the session mode in place of an output format. */
function planProcess(kind: ProcessKind, directory: CliRunDirectory): ProcessPlan {
  const { cli, model, systemPrompt, tools, hasModelTools, authType, allowsGoogleLogs, environment, path } = kind;
  const { root, home, temporary } = directory;
  const policy = join(root, policyFile);
  const childEnvironment = buildChildEnvironment({
    environment,
    path,
    homeDirectory: home,
    temporaryDirectory: temporary,
    variables: {
      ...preloadVariables(cli.command, root),
      ...(hasModelTools && loopbackVariables(environment)),
      ...(systemPrompt !== null && { GEMINI_SYSTEM_MD: join(root, systemFile) }),
    },
  });
  const preload = [
    keepFromChildrenPiece(),
    reportModelCallsPiece('acp'),
    ...(hasModelTools ? [rerouteToolCallsPiece(toolRerouting(directory))] : []),
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
        `--allowed-mcp-server-names=${hasModelTools ? modelToolServerName : 'none'}`,
        '--extensions=none',
      ],
    },
    environment: childEnvironment,
  };
}
