import { join } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import { containCommand } from '../../../process/contained-command.ts';
import type { StartProblem } from '../../../process/describe-start-error.ts';
import { describeShortage } from '../../../process/system-shortage.ts';
import { compileCacheVariables } from '../../environment/compile-cache.ts';
import { createRunRedactor } from '../../environment/create-run-redactor.ts';
import { createRunDirectory, type RunDirectory } from '../../run-directory/run-directory.ts';
import { parseAcpAgent } from '../protocol/acp-messages.ts';
import type { WarmLimits } from '../warm-limits.ts';
import { AcpProcess } from './acp-process.ts';
import type { AcpProcessEnd } from './acp-process-end.ts';
import type { ProcessKind } from './process-kind.ts';
import { planProcess } from './process-plan.ts';

export type StartOptions = {
  readonly clock: Clock;
  readonly limits: WarmLimits;
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly kind: ProcessKind;
  /** Told as soon as there is a process, so that it can be ended before it has started. */
  readonly onSpawned: (process: AcpProcess) => void;
};

export type AcpStart =
  | { readonly ok: true; readonly process: AcpProcess }
  /** Nothing is left of it. `detail` holds what strangers wrote, redacted. */
  | ({ readonly ok: false } & StartProblem);

const protocolVersion = 1;

/** The CLI runs with the Node that runs us. */
const hasCompileCache = Number.parseInt(process.versions.node, 10) >= 22;

/** Starts a process of a kind and greets it. Never rejects. */
export async function startAcpProcess(options: StartOptions): Promise<AcpStart> {
  const { runsDirectory, kind } = options;
  let directory: RunDirectory;
  try {
    directory = await createRunDirectory({ runsDirectory, loginDirectory: kind.loginDirectory });
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

async function spawn(options: StartOptions, directory: RunDirectory): Promise<AcpProcess> {
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
      ...(hasCompileCache && (await compileCacheVariables(join(runsDirectory, 'compiled')))),
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
    process.fault('offers no sessions that we know');
  } else if (!reply.closed) {
    process.fault(`refused to start sessions: ${process.redact(reply.message).slice(0, 500)}`);
  }
  const end = await process.ended;
  return { ok: false, isShortage: end.spawnError?.isShortage === true, detail: describeEnd(end) };
}

/** Why there is no process, in one line or a few. Only for one that has carried no call: stderr is part of it. */
function describeEnd({ spawnError, fault, exitCode, signal, stderr }: AcpProcessEnd): string {
  const ending = exitCode === null ? `it was ended by ${signal ?? 'nobody knows what'}` : `it ended with ${exitCode}`;
  const reason = spawnError?.detail ?? (fault === null ? ending : `it ${fault}`);
  const unknownFlag = /^Unknown arguments?:.*/m.exec(stderr)?.[0];
  return [reason, unknownFlag ?? stderr.trim().slice(-1_000)].filter((part) => part !== '').join('\n');
}

function notStartedFor(error: unknown): AcpStart {
  const shortage = describeShortage(error);
  const detail = shortage ?? (error instanceof Error ? error.message : String(error));
  return { ok: false, isShortage: shortage !== null, detail };
}
