import { dirname, join } from 'node:path';
import type { CommandRequest, StepRefusal, StepResult } from '@gemini-mcp/core';
import { commandEnvironment } from './command-environment.ts';
import type { CommandLimits } from './command-limits.ts';
import type { OpenCommandsOptions } from './command-runner.ts';
import { countJoints } from './plan/carry-out-plan.ts';
import { findDirectory, type RunPlaces } from './plan/command-place.ts';
import { judgeRedirections } from './plan/judge-redirections.ts';
import { ProjectWalls } from './project-walls.ts';
import type { ProjectTurns } from './protect/project-turns.ts';
import type { ProjectProtection } from './protect/protect-project.ts';
import { refuseStep, refuseWithoutSandbox } from './refuse-step.ts';
import type { RunCommandOptions } from './run-command.ts';
import type { RunPlace } from './run-place.ts';
import { closePipe, makePipes } from './running/output-pipes.ts';
import type { FoundSandbox, SandboxSearch } from './sandbox/command-sandbox.ts';
import type { ToolPlaces } from './tool-places.ts';

export type PrepareCommandOptions = OpenCommandsOptions & {
  readonly request: CommandRequest;
  readonly search: SandboxSearch;
  readonly getPlace: () => Promise<RunPlace>;
  readonly limits: CommandLimits;
  readonly protection: ProjectProtection;
  readonly turns: ProjectTurns;
  readonly tools: ToolPlaces;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Looks whether a command may run, and makes ready what it needs. Nothing runs yet. Never rejects. */
export async function prepareCommand(
  options: PrepareCommandOptions,
  signal: AbortSignal,
): Promise<StepResult<RunCommandOptions>> {
  const { mode, search, request, roots, workingDirectory } = options;
  if (mode !== 'full') {
    return refuse(refuseStep('mode-without-commands'));
  }
  if (!search.found) {
    return refuse(refuseWithoutSandbox(search.state.detail));
  }
  const places: RunPlaces = { roots, workingDirectory };
  const directory = await findDirectory(places, request.plan.directory);
  if (typeof directory !== 'string') {
    return refuse(directory);
  }
  const consents = request.consents ?? [];
  const refusal = await judgeRedirections({ plan: request.plan, places, directory, consents });
  if (refusal !== null) {
    return refuse(refusal);
  }
  try {
    return await furnish({ ...options, sandbox: search.sandbox, places, directory }, signal);
  } catch (error) {
    return refuse(refuseWithoutSandbox(error instanceof Error ? error.message : 'The file system does not let it.'));
  }
}

type Furnishing = PrepareCommandOptions & {
  readonly sandbox: FoundSandbox;
  readonly places: RunPlaces;
  readonly directory: string;
};

async function furnish(options: Furnishing, signal: AbortSignal): Promise<StepResult<RunCommandOptions>> {
  const { request, sandbox, places, directory, limits } = options;
  const place = await options.getPlace();
  const { tools } = options;
  const environment = commandEnvironment({
    runId: place.runId,
    toolDirectories: tools.directories,
    projectDirectories: projectPrograms(directory, options),
    toolVariables: tools.variables,
    outer: options.environment,
  });
  const walls = new ProjectWalls({
    ...{ ...options, request, place, environment, tools, directory },
    protection: await options.protection.protect(place.root),
  });
  const count = 1 + countJoints(request.plan);
  const pipes = await makePipes({ mkfifo: sandbox.mkfifo, directory: place.pipes, count });
  const [shown, ...joints] = pipes ?? [];
  const refusal = shown === undefined ? refuseWithoutSandbox('No pipes could be made for it.') : await walls.refuse();
  if (shown === undefined || refusal !== null || signal.aborted) {
    pipes?.forEach(closePipe);
    await walls.release();
    return refuse(signal.aborted || refusal === null ? refuseStep('cancelled') : refusal);
  }
  return {
    ok: true,
    value: {
      release: () => walls.release(),
      ...{ plan: request.plan, places, directory, limits },
      pipes: [shown, ...joints],
      consented: new Set((request.consents ?? []).map(({ path }) => path)),
      heldPaths: walls.heldPaths,
      disks: [...options.directories, place.sandbox.temporary],
      start: (start) => walls.start(start),
    },
  };
}

/** Where package managers put the programs of a project, from the directory of the command up to its root. */
function projectPrograms(directory: string, { roots }: Furnishing): readonly string[] {
  const found: string[] = [];
  for (let at = directory; roots.contains(at); at = dirname(at)) {
    found.push(join(at, 'node_modules', '.bin'), join(at, '.venv', 'bin'));
  }
  return found;
}

function refuse(refusal: StepRefusal): { readonly ok: false; readonly refusal: StepRefusal } {
  return { ok: false, refusal };
}
