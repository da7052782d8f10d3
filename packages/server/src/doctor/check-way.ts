import type { ApiLogin } from '@gemini-mcp/adapters-api';
import { failureAdvice, type RunnerPreference } from '@gemini-mcp/core';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';
import type { ApiFound } from './doctor-probes.ts';

const name = 'Way';

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
  if (problem !== null) {
    const status = runner === 'api' ? 'fail' : 'warn';
    return { name, status, found: `the Gemini API cannot be asked: ${problem}`, fix: 'Correct that variable.' };
  }
  if (runner === 'warm' || runner === 'headless') {
    return { name, status: 'ok', found: `the Gemini CLI, because GEMINI_MCP_RUNNER is ${runner}`, fix: null };
  }
  if (login !== null) {
    return {
      name,
      status: 'ok',
      found: `the Gemini API, with ${describeApiLogin(login)}${exceptions[runner]}`,
      fix: null,
    };
  }
  return runner === 'auto'
    ? { name, status: 'ok', found: 'the Gemini CLI, because there is no login that the Gemini API takes', fix: null }
    : { name, status: 'fail', found: 'the Gemini API, for which there is no login', fix: noLogin };
}

const exceptions: Readonly<Record<'auto' | 'api', string>> = {
  auto: '; sandbox and yolo need the Gemini CLI',
  api: ' alone, because GEMINI_MCP_RUNNER is api',
};

const noLogin = `${failureAdvice({ kind: 'authentication', problem: 'missing', excerpt: '' }, 'query', serverFailureWords)} Without it only calls that bring a key of their own are answered.`;
