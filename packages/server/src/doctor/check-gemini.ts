import type { ApiLogin } from '@gemini-mcp/adapters-api';
import type { GeminiCli, GeminiCliLocation } from '@gemini-mcp/adapters-node';
import { describePathFault } from '@gemini-mcp/adapters-node/internal';
import {
  type FailureKind,
  failureAdvice,
  failureReason,
  type GeminiFailure,
  type ModelChain,
  type ModelList,
  type RunnerPreference,
} from '@gemini-mcp/core';
import { describeRetirement, escapeName, nearestName } from '@gemini-mcp/core/internal';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import { type Check, fault, ok, warning } from './check.ts';
import { isOlder, parseVersion } from './check-node.ts';
import type { ApiFound, Login, TrialCall, TrialStart } from './doctor-probes.ts';

const advice = (failure: GeminiFailure): string => failureAdvice(failure, 'query', serverFailureWords);

const noLogin = advice({ kind: 'authentication', problem: 'missing', excerpt: '' });

const loginWords: Readonly<Record<ApiLogin['type'], string>> = {
  'gemini-key': 'an API key',
  'vertex-key': 'a key of Vertex AI',
  'vertex-project': 'a project of Vertex AI',
};

/** With what the API is asked, in words for a user. */
export function describeApiLogin(login: ApiLogin['type']): string {
  return loginWords[login];
}

/** Which way calls will go, and why. */
export function checkWay(runner: RunnerPreference, { login, problem }: ApiFound): Check {
  const name = 'Way';
  if (problem !== null) {
    const tell = runner === 'api' ? fault : warning;
    return tell(name, `the Gemini API cannot be asked: ${problem}`, 'Correct that variable.');
  }
  if (runner === 'warm' || runner === 'headless') {
    return ok(name, `the Gemini CLI, because GEMINI_MCP_RUNNER is ${runner}`);
  }
  if (login !== null) {
    const exception =
      runner === 'auto' ? '; sandbox and yolo need the Gemini CLI' : ' alone, because GEMINI_MCP_RUNNER is api';
    return ok(name, `the Gemini API, with ${describeApiLogin(login)}${exception}`);
  }
  return runner === 'auto'
    ? ok(name, 'the Gemini CLI, because there is no login that the Gemini API takes')
    : fault(
        name,
        'the Gemini API, for which there is no login',
        `${noLogin} Without it only calls that bring a key of their own are answered.`,
      );
}

const oldestTested: readonly number[] = [0, 55, 1];
const newestTested: readonly number[] = [0, 61];
const testedRange = '0.55.1 to 0.61';

type FoundCli = Extract<GeminiCliLocation, { readonly found: true }>;

/** Whether there is a Gemini CLI, whether this server was tested with it, and whether another user could change it. */
export function checkCli(location: GeminiCliLocation | null): readonly Check[] {
  const name = 'Gemini CLI';
  if (location === null) {
    return [fault(name, 'looking for it was interrupted', 'Run the doctor again.')];
  }
  if (!location.found) {
    const kind = location.isShortage === true ? 'resources-exhausted' : 'cli-missing';
    const { detail, lookedIn } = location;
    return [{ ...fault(name, detail, advice({ kind, detail })), lookedIn }];
  }
  return [checkVersion(name, location), ...checkPlace(location)];
}

function checkPlace({ cli, passedOver, fault: ofPlace }: FoundCli): readonly Check[] {
  const ofPath = passedOver.map((each) =>
    warning(
      'Passed over',
      `${escapeName(each.path)} comes first and is not run. ${describePathFault(each.fault)}`,
      `Nothing, if ${escapeName(cli.path)} is the one to run. Otherwise set GEMINI_MCP_CLI to the absolute path of yours.`,
    ),
  );
  if (ofPlace === null) {
    return ofPath;
  }
  const found = `${describePathFault(ofPlace)} It is run all the same, because GEMINI_MCP_CLI names it.`;
  const fix =
    'Install the Gemini CLI where you alone may write, or be sure of all who can change it: it gets your login.';
  return [...ofPath, warning('Place of the CLI', found, fix)];
}

const ways: Readonly<Record<GeminiCli['foundBy'], string>> = {
  GEMINI_MCP_CLI: 'found by GEMINI_MCP_CLI',
  PATH: 'found by PATH',
  node: 'found next to the Node that runs the server',
  'usual-place': 'found in a usual place that is not on PATH',
  npx: 'found by npx',
};

function checkVersion(name: string, { cli: { path, version, foundBy } }: FoundCli): Check {
  const where = `at ${path} (${ways[foundBy]})`;
  const numbers = version === null ? null : parseVersion(version);
  if (numbers === null) {
    return warning(name, `of an unknown version ${where}`, `Use the package @google/gemini-cli, ${testedRange}.`);
  }
  if (isOlder(numbers, oldestTested)) {
    const found = `${version} ${where} is older than what was tested (${testedRange})`;
    return warning(name, found, advice({ kind: 'cli-outdated', excerpt: '' }));
  }
  if (isOlder(newestTested, numbers.slice(0, 2))) {
    const found = `${version} ${where} is newer than what was tested (${testedRange})`;
    const fix = 'Nothing, as long as calls succeed. If they fail: `npm install -g @google/gemini-cli@0.61`.';
    return warning(name, found, fix);
  }
  return ok(name, `${version} ${where}`);
}

/** Whether a run has what its kind of login needs. Whether Google accepts it, only a call can tell. */
export function checkLogin({ authType, variables, hasAccount, hasKeptCredentials }: Login): Check {
  const name = 'Login';
  switch (authType) {
    case 'gemini-api-key':
      if (variables.has('GEMINI_API_KEY')) {
        return ok(name, 'an API key (GEMINI_API_KEY)');
      }
      return hasKeptCredentials
        ? ok(name, 'an API key that the CLI keeps')
        : fault(name, 'an API key is chosen in the CLI, but there is none', noLogin);
    case 'vertex-ai':
      return checkVertex(name, variables);
    case 'oauth-personal':
      return hasAccount
        ? ok(
            name,
            'a Google account; only ones with a Gemini Code Assist Standard or Enterprise licence are still served',
          )
        : fault(name, 'a Google account is chosen, but the CLI is not logged in with one', noLogin);
    case 'compute-default-credentials':
      return ok(name, 'the credentials of this machine in the cloud');
    case null:
      return fault(name, 'there is none: no key in the environment, and none chosen in the CLI', noLogin);
  }
}

function checkVertex(name: string, variables: ReadonlySet<string>): Check {
  const hasProject = variables.has('GOOGLE_CLOUD_PROJECT') || variables.has('GOOGLE_CLOUD_PROJECT_ID');
  return variables.has('GOOGLE_API_KEY') || (hasProject && variables.has('GOOGLE_CLOUD_LOCATION'))
    ? ok(name, 'Vertex AI')
    : fault(
        name,
        'Vertex AI is chosen, but it is not said which project or key to use',
        'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY, in the environment of this server.',
      );
}

export type CheckModelsOptions = {
  readonly modelChain: ModelChain;
  readonly nowMs: number;
  /** The models that the Gemini API knows; null if it is not asked. */
  readonly list: ModelList | null;
};

/** Whether Google serves the models of the chain, by the dates that are known and by what the API says itself. */
export function checkModels({ modelChain, nowMs, list }: CheckModelsOptions): Check {
  const name = 'Models';
  const chain = modelChain.join(', ');
  const retired = modelChain.flatMap((model) => describeRetirement(model, nowMs) ?? []);
  if (retired.length > 0) {
    return warning(name, retired.join(' '), 'Take them out of GEMINI_MCP_MODELS.');
  }
  if (list === null) {
    return ok(name, chain);
  }
  if (!list.ok) {
    const { failure } = list;
    const why = failureReason(failure, serverFailureWords);
    const tell = failure.kind === 'authentication' ? fault : warning;
    return tell(name, `${chain}. The Gemini API did not say which models it knows: ${why}`, advice(failure));
  }
  const known = list.models.map((model) => model.name);
  const unknown = modelChain.filter((model) => !known.includes(model));
  return unknown.length === 0
    ? ok(name, `${chain}, all known to the Gemini API`)
    : warning(
        name,
        `the Gemini API does not know ${unknown.map((model) => suggest(model, known)).join(', ')}`,
        'Set GEMINI_MCP_MODELS to models that it knows. Calls go on to the next model of the chain.',
      );
}

function suggest(model: string, known: readonly string[]): string {
  const nearest = nearestName(model, known);
  return nearest === null ? model : `${model} (did you mean ${nearest}?)`;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Whether the CLI can be kept running between calls. If it cannot, `auto` goes on without, and `warm` cannot serve calls. */
export function checkWarm(runner: Exclude<RunnerPreference, 'headless' | 'api'>, start: TrialStart): Check {
  const name = 'Warm process';
  if (start.problem === null) {
    return ok(name, `ready in ${seconds(start.durationMs)}`);
  }
  const found = `the CLI cannot be kept running: ${start.problem}`;
  return runner === 'warm'
    ? fault(name, found, advice({ kind: 'runner-unavailable', excerpt: '' }))
    : warning(
        name,
        found,
        'Nothing, but calls take longer. Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER=headless, so that it is not tried.',
      );
}

/** After these a call goes on to the next model of the chain, so calls still get an answer. */
const passing: readonly FailureKind[] = [
  'rate-limited',
  'quota-exhausted',
  'capacity-exhausted',
  'model-not-found',
  'overloaded',
  'server-error',
];

/** Whether Gemini answers, and how long it takes. */
export function checkCall(model: string, { durationMs, failure }: TrialCall): Check {
  const name = 'Call';
  if (failure === null) {
    return ok(name, `${model} answered in ${seconds(durationMs)}`);
  }
  const tell = passing.includes(failure.kind) ? warning : fault;
  const why = failureReason(failure, serverFailureWords);
  return tell(name, `${model} gave no answer (${seconds(durationMs)}): ${why}`, advice(failure));
}
