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
import type { LoginSource } from '@gemini-mcp/gemini/internal';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import { type Check, fault, ok, warning } from './check.ts';
import { isOlder, parseVersion } from './check-node.ts';
import type { ApiFound, Login, TrialCall, TrialStart } from './doctor-probes.ts';

const advice = (failure: GeminiFailure): string => failureAdvice(failure, 'query', serverFailureWords);

const noLogin = advice({ kind: 'authentication', problem: 'missing', excerpt: '' });

const loginWords: Readonly<Record<ApiLogin['type'], string>> = {
  'gemini-key': 'an API key',
  'vertex-key': 'a Vertex AI key',
  'vertex-project': 'a Vertex AI project',
};

/** Names the API login for a user. */
export function describeApiLogin(login: ApiLogin['type']): string {
  return loginWords[login];
}

/** Where a login is, as words after "a login" or "it is". `path` is the file of a stored key. */
export function describeSource(source: LoginSource, { path }: { readonly path: string }): string {
  switch (source) {
    case 'environment':
      return 'in the environment';
    case 'user-env':
      return 'in ~/.gemini/.env';
    case 'file':
      return `stored in ${escapeName(path)}, which only you can read`;
    case 'keychain':
      return 'stored in the keychain';
  }
}

/** Reports whether calls use the API or the CLI, and why. */
export function checkWay(runner: RunnerPreference, { login, problem }: ApiFound): Check {
  const name = 'Way';
  if (problem !== null) {
    const tell = runner === 'api' ? fault : warning;
    return tell(name, `the Gemini API cannot be used: ${problem}`, 'Correct that variable.');
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
    ? ok(name, 'the Gemini CLI, because no login works with the Gemini API')
    : fault(
        name,
        'the Gemini API, but it has no login',
        `${noLogin} Until then only calls with their own key succeed.`,
      );
}

const oldestTested: readonly number[] = [0, 55, 1];
const newestTested: readonly number[] = [0, 61];
const testedRange = '0.55.1 to 0.61';

type FoundCli = Extract<GeminiCliLocation, { readonly found: true }>;

/** Checks that the Gemini CLI is installed, in the tested version range, and safe from changes by other users. */
export function checkCli(location: GeminiCliLocation | null): readonly Check[] {
  const name = 'Gemini CLI';
  if (location === null) {
    return [fault(name, 'the search was interrupted', 'Run the doctor again.')];
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
      'Skipped program',
      `${escapeName(each.path)} comes first on PATH but was skipped. ${describePathFault(each.fault)}`,
      `If ${escapeName(cli.path)} is the right program, do nothing. Otherwise set GEMINI_MCP_CLI to the absolute path of yours.`,
    ),
  );
  if (ofPlace === null) {
    return ofPath;
  }
  const found = `${describePathFault(ofPlace)} It runs anyway, because GEMINI_MCP_CLI names it.`;
  const fix =
    'Install the Gemini CLI where only you can write, or make sure you trust everyone who can change it: it gets your login.';
  return [...ofPath, warning('Place of the CLI', found, fix)];
}

const ways: Readonly<Record<GeminiCli['foundBy'], string>> = {
  GEMINI_MCP_CLI: 'found by GEMINI_MCP_CLI',
  PATH: 'found by PATH',
  node: 'found next to the Node that runs the server',
  'usual-place': 'found in a usual place outside PATH',
  npx: 'found by npx',
};

function checkVersion(name: string, { cli: { path, version, foundBy } }: FoundCli): Check {
  const where = `at ${path} (${ways[foundBy]})`;
  const numbers = version === null ? null : parseVersion(version);
  if (numbers === null) {
    return warning(name, `unknown version ${where}`, `Use the package @google/gemini-cli, ${testedRange}.`);
  }
  if (isOlder(numbers, oldestTested)) {
    const found = `${version} ${where} is older than the tested versions (${testedRange})`;
    return warning(name, found, advice({ kind: 'cli-outdated', excerpt: '' }));
  }
  if (isOlder(newestTested, numbers.slice(0, 2))) {
    const found = `${version} ${where} is newer than the tested versions (${testedRange})`;
    const fix = 'Nothing while calls succeed. If they fail, run `npm install -g @google/gemini-cli@0.61`.';
    return warning(name, found, fix);
  }
  return ok(name, `${version} ${where}`);
}

/** Checks that a run has everything its kind of login needs. Only a call shows whether Google accepts it. */
export function checkLogin({ authType, variables, hasAccount, hasKeptCredentials }: Login): Check {
  const name = 'Login';
  switch (authType) {
    case 'gemini-api-key':
      if (variables.has('GEMINI_API_KEY')) {
        return ok(name, 'an API key (GEMINI_API_KEY)');
      }
      return hasKeptCredentials
        ? ok(name, 'an API key stored by the CLI')
        : fault(name, 'the CLI is set to an API key, but GEMINI_API_KEY is not set', noLogin);
    case 'vertex-ai':
      return checkVertex(name, variables);
    case 'oauth-personal':
      return hasAccount
        ? ok(
            name,
            'a Google account; Google serves only accounts with a Gemini Code Assist Standard or Enterprise licence',
          )
        : fault(name, 'the CLI is set to a Google account, but is not logged in', noLogin);
    case 'compute-default-credentials':
      return ok(name, 'the cloud credentials of this machine');
    case null:
      return fault(name, 'missing: no key in the environment, and no login in the CLI', noLogin);
  }
}

function checkVertex(name: string, variables: ReadonlySet<string>): Check {
  const hasProject = variables.has('GOOGLE_CLOUD_PROJECT') || variables.has('GOOGLE_CLOUD_PROJECT_ID');
  return variables.has('GOOGLE_API_KEY') || (hasProject && variables.has('GOOGLE_CLOUD_LOCATION'))
    ? ok(name, 'Vertex AI')
    : fault(
        name,
        'the CLI is set to Vertex AI, but no project or key is set',
        'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or GOOGLE_API_KEY, in the environment of this server.',
      );
}

export type CheckModelsOptions = {
  readonly modelChain: ModelChain;
  readonly nowMs: number;
  /** The models that the Gemini API knows; null if the API is not used. */
  readonly list: ModelList | null;
};

/** Checks that Google serves the models of the chain, by known shutdown dates and by the API's own list. */
export function checkModels({ modelChain, nowMs, list }: CheckModelsOptions): Check {
  const name = 'Models';
  const chain = modelChain.join(', ');
  const retired = modelChain.flatMap((model) => describeRetirement(model, nowMs) ?? []);
  if (retired.length > 0) {
    return warning(name, retired.join(' '), 'Remove them from GEMINI_MCP_MODELS.');
  }
  if (list === null) {
    return ok(name, chain);
  }
  if (!list.ok) {
    const { failure } = list;
    const why = failureReason(failure, serverFailureWords);
    const tell = failure.kind === 'authentication' ? fault : warning;
    return tell(name, `${chain}. The Gemini API did not return its model list: ${why}`, advice(failure));
  }
  const known = list.models.map((model) => model.name);
  const unknown = modelChain.filter((model) => !known.includes(model));
  return unknown.length === 0
    ? ok(name, `${chain}, all known to the Gemini API`)
    : warning(
        name,
        `the Gemini API does not know ${unknown.map((model) => suggest(model, known)).join(', ')}`,
        'Set GEMINI_MCP_MODELS to models that the API knows. Until then calls fall back to the next model of the chain.',
      );
}

function suggest(model: string, known: readonly string[]): string {
  const nearest = nearestName(model, known);
  return nearest === null ? model : `${model} (did you mean ${nearest}?)`;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;

/** Checks that the CLI can stay running between calls. Otherwise `auto` works without it, and `warm` cannot serve calls. */
export function checkWarm(runner: Exclude<RunnerPreference, 'headless' | 'api'>, start: TrialStart): Check {
  const name = 'Warm process';
  if (start.problem === null) {
    return ok(name, `ready in ${seconds(start.durationMs)}`);
  }
  const found = `the CLI cannot stay running between calls: ${start.problem}`;
  return runner === 'warm'
    ? fault(name, found, advice({ kind: 'runner-unavailable', excerpt: '' }))
    : warning(
        name,
        found,
        'Calls still work, but take longer. Update the CLI with `npm install -g @google/gemini-cli@latest`, or set GEMINI_MCP_RUNNER=headless to skip the attempt.',
      );
}

/** After these failures a call falls back to the next model of the chain, so calls still get an answer. */
const passing: readonly FailureKind[] = [
  'rate-limited',
  'quota-exhausted',
  'capacity-exhausted',
  'model-not-found',
  'overloaded',
  'server-error',
];

/** Checks that Gemini answers, and how long it takes. */
export function checkCall(model: string, { durationMs, failure }: TrialCall): Check {
  const name = 'Call';
  if (failure === null) {
    return ok(name, `${model} answered in ${seconds(durationMs)}`);
  }
  const tell = passing.includes(failure.kind) ? warning : fault;
  const why = failureReason(failure, serverFailureWords);
  return tell(name, `${model} gave no answer (${seconds(durationMs)}): ${why}`, advice(failure));
}
