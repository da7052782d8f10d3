import { resolve } from 'node:path';
import type { FailureWords, WorkAccount, WorkRequest, WorkResult } from '@gemini-mcp/core';
import type { WorkOptions } from '../gemini-options.ts';
import { type GeminiAnswer, type GeminiNoAnswer, toGeminiFailureResult } from '../gemini-result.ts';
import { buildAskRequest, type CallDefaults } from './build-ask-request.ts';
import { refuseServers } from './servers-of-call.ts';

/** `account` says what Gemini did; null if the work could not begin. `account.runId` is what `undo` takes. */
export type GeminiWorkResult =
  | (GeminiAnswer & { readonly account: WorkAccount })
  | (GeminiNoAnswer & { readonly account: WorkAccount | null });

export async function buildWorkRequest(
  task: string,
  { approver = refuseServers, ...options }: WorkOptions,
  defaults: CallDefaults,
): Promise<WorkRequest> {
  const { directory = '.', mode = 'plan', network = false, budget } = options;
  const {
    prompt: _prompt,
    settings: _settings,
    directory: _directory,
    owner = '',
    ...asked
  } = await buildAskRequest(task, options, defaults);
  return {
    ...asked,
    task,
    owner,
    workingDirectory: resolve(defaults.workingDirectory, directory),
    roots: defaults.roots,
    mode,
    network,
    budget: { ...defaults.budget, ...budget },
    approver,
  };
}

export function presentWork(
  result: WorkResult,
  { timeoutMs }: Pick<WorkRequest, 'timeoutMs'>,
  words: FailureWords | undefined,
): GeminiWorkResult {
  const options = { purpose: 'query', words } as const;
  if (result.type === 'answered') {
    return { ok: true, ...result.answer, account: result.account };
  }
  if (result.type === 'failed') {
    return { ...toGeminiFailureResult(result.failed, options), account: result.account };
  }
  const { code, message } = result.refusal;
  const failure = code === 'cancelled' ? { kind: code } : ({ kind: 'directory-refused', detail: message } as const);
  const failed = { failure, attempts: [], partialText: '', context: null, timeoutMs };
  return { ...toGeminiFailureResult(failed, options), account: null };
}
