import { join } from 'node:path';
import { apiModelChain } from '@gemini-mcp/adapters-api';
import { SystemClock } from '@gemini-mcp/adapters-node';
import { homeDirectory } from '@gemini-mcp/adapters-node/internal/startup';
import { failureAdvice, failureReason, type ModelList } from '@gemini-mcp/core';
import { countOf } from '@gemini-mcp/core/internal';
import {
  findApiAccess,
  findLogin,
  type LoginPlace,
  type LoginStore,
  namesLogin,
  parseApiKey,
} from '@gemini-mcp/gemini/internal';

import type { LoginMode } from '../command-line/parse-command-line.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { createModelCatalog } from '../composition/create-server-runners.ts';
import { describeSource } from '../doctor/check-gemini.ts';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';

export type LoginContext = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly store: LoginStore;
  /** Resolves to the text that the user typed or piped; null if the input ended before. */
  readonly readKey: (signal: AbortSignal) => Promise<string | null>;
  readonly platform: NodeJS.Platform;
};

/** Longer than the model list takes. */
const tryTimeoutMs = 15_000;

/** Stores a key, removes it, or says which login counts. Rejects with `signal.reason` if aborted. */
export async function runLogin(mode: LoginMode, place: LoginContext, signal: AbortSignal): Promise<CommandResult> {
  switch (mode.action) {
    case 'login':
      return await logIn(mode.store ?? usualPlace(place.platform), place, signal);
    case 'logout':
      return await logOut(place);
    case 'status':
      return await showStatus(place, signal);
  }
}

/**
 * On Linux the keychain belongs to the desktop's session, which servers do not reach from the few variables that many clients give them.
 */
function usualPlace(platform: NodeJS.Platform): LoginPlace {
  return platform === 'darwin' || platform === 'win32' ? 'keychain' : 'file';
}

async function logIn(wanted: LoginPlace, place: LoginContext, signal: AbortSignal): Promise<CommandResult> {
  const { store, environment } = place;
  const given = await place.readKey(signal);
  const parsed = parseApiKey(given ?? '');
  if (!parsed.ok) {
    return failed(`${parsed.problem} Make one at https://aistudio.google.com/apikey. Nothing has changed.`);
  }
  const { key } = parsed;
  const tried = await tryKey(key, environment, signal);
  if (!tried.accepted) {
    return failed(`${tried.words} Nothing has changed.`);
  }
  const stored = await storeKey(wanted, key, store);
  if (stored.place === null) {
    return failed(`${tried.words}\n${stored.problem}`);
  }
  const notes = [
    ...(stored.problem === null ? [] : [stored.problem]),
    ...(namesLogin(environment)
      ? ['A login in the environment or in ~/.gemini/.env comes first, so it is used in place of the stored key.']
      : []),
  ];
  const lines = [tried.words, `The login is ${describeSource(stored.place, store)}.`];
  return { output: joined(lines), note: joined(notes), exitCode: 0 };
}

type Stored = { readonly place: LoginPlace | null; readonly problem: string | null };

/** Without a usable keychain, a file takes its place. */
async function storeKey(wanted: LoginPlace, key: string, store: LoginStore): Promise<Stored> {
  const problem = await store.write(wanted, key);
  if (problem === null || wanted === 'file') {
    return { place: problem === null ? wanted : null, problem };
  }
  const ofFile = await store.write('file', key);
  return ofFile === null
    ? { place: 'file', problem: `${problem} The key is in a file instead.` }
    : { place: null, problem: `${problem}\n${ofFile}` };
}

async function logOut({ store, environment }: LoginContext): Promise<CommandResult> {
  const there = store.look().type !== 'none';
  const problem = await store.remove();
  if (problem !== null) {
    return failed(problem);
  }
  const line = there ? 'The stored key is removed. Running servers have it until they end.' : 'No key was stored.';
  const note = namesLogin(environment)
    ? 'The environment, or ~/.gemini/.env, still has a login, which servers started there use.\n'
    : '';
  return { output: `${line}\n`, note, exitCode: 0 };
}

async function showStatus(place: LoginContext, signal: AbortSignal): Promise<CommandResult> {
  const { store, environment } = place;
  const { source, problem, environment: withLogin } = await findLogin(environment, store);
  if (source === null) {
    return failed(problem ?? 'Not logged in. Log in: gemini-mcp-server login');
  }
  const line = `The login is ${describeSource(source, store)}.`;
  if (source === 'environment' || source === 'user-env') {
    const unused = store.look().type === 'none' ? [] : ['The stored key is not used.'];
    return done(line, ...unused, 'To try it: doctor');
  }
  const tried = await tryKey(withLogin['GEMINI_API_KEY'] ?? '', environment, signal);
  return tried.accepted
    ? done(line, tried.words)
    : { output: joined([line]), note: joined([tried.words]), exitCode: 1 };
}

type Tried = {
  /** False if Google refuses the key. */
  readonly accepted: boolean;
  readonly words: string;
};

/** Asks for the list of models, which is free. */
async function tryKey(apiKey: string, environment: LoginContext['environment'], signal: AbortSignal): Promise<Tried> {
  let problem: string | null = null;
  const access = findApiAccess({
    preference: 'api',
    userDirectory: join(homeDirectory(environment), '.gemini'),
    environment,
    onFault: (fault) => {
      problem = fault;
    },
  });
  if (problem !== null || access === null) {
    return { accepted: false, words: `The key was not tried: ${problem ?? 'the Gemini API is not used'}` };
  }
  const catalog = createModelCatalog({ ...access, login: { type: 'gemini-key', apiKey } }, new SystemClock());
  const list = await catalog?.list(AbortSignal.any([signal, AbortSignal.timeout(tryTimeoutMs)]));
  signal.throwIfAborted();
  return describeTrial(list);
}

function describeTrial(list: ModelList | undefined): Tried {
  if (list === undefined || !list.ok) {
    const failure = list?.failure ?? { kind: 'network', excerpt: '' };
    const why = failureReason(failure, serverFailureWords);
    return failure.kind === 'authentication'
      ? { accepted: false, words: `Google does not accept this key: ${why}. ${refusedKey}` }
      : {
          accepted: true,
          words: `The key could not be tried: ${why}. ${failureAdvice(failure, 'query', serverFailureWords)} Then try it: login --status`,
        };
  }
  const names = list.models.map(({ name }) => name);
  const missing = apiModelChain.filter((model) => !names.includes(model));
  const reached = `Google accepts the key, which can reach ${countOf(names.length, 'model')}`;
  return {
    accepted: true,
    words:
      missing.length === 0
        ? `${reached}, among them ${apiModelChain.join(', ')}. Only a call shows whether its project pays for them: doctor`
        : `${reached}, but not ${missing.join(', ')}. Set GEMINI_MCP_MODELS to models that it can reach.`,
  };
}

const refusedKey =
  'It may be mistyped, revoked, limited to other services, or a key of Vertex AI: for that set GOOGLE_API_KEY and GOOGLE_GENAI_USE_VERTEXAI=true in the environment.';

function done(...lines: readonly string[]): CommandResult {
  return { output: joined(lines), note: '', exitCode: 0 };
}

function failed(...lines: readonly string[]): CommandResult {
  return { output: '', note: joined(lines), exitCode: 1 };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
