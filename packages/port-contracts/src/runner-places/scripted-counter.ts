import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';
import type { ScriptedCount } from '@gemini-mcp/core/testing';
import type { CarriedContext, CountingHooks, CountSituation } from '../gemini-runner/gemini-runner-harness.ts';
import { Arrivals } from '../offline-api/requests/arrivals.ts';
import { carriedByRequest } from './carried-by-request.ts';
import { failureByApi } from './failure-by-api.ts';

/** A token for each UTF-16 code unit and each byte of media: as good as any rule that counts the whole request. */
export function countScripted({ input, history = [], media = [], settings = plainRunSettings }: RunRequest): number {
  const texts = [input, systemPromptOf(settings) ?? '', ...history.map(({ text }) => text)];
  return [...texts, ...media.map(({ bytes }) => bytes)].reduce((sum, { length }) => sum + length, 0);
}

/** Counts for scripted runners as a test arranges it. */
export class ScriptedCounter implements CountingHooks {
  readonly #arrivals = new Arrivals();
  readonly #requests: RunRequest[] = [];
  #situation: CountSituation = { type: 'count' };

  readonly count = (request: RunRequest): ScriptedCount => {
    this.#requests.push(request);
    this.#arrivals.come();
    const situation = this.#situation;
    switch (situation.type) {
      case 'count':
        return { ok: true, tokens: countScripted(request) };
      case 'hang':
        return { hangs: true };
      case 'failure': {
        // Hides the key of a call as a runner does.
        const said = situation.message.replaceAll(request.settings?.apiKey || '[no key]', '[redacted]');
        return { ok: false, failure: failureByApi(situation.httpStatus, said) };
      }
    }
  };

  arrange(situation: CountSituation): void {
    this.#situation = situation;
  }

  carried(): readonly CarriedContext[] {
    return this.#requests.map(carriedByRequest);
  }

  whenReceived(count: number): Promise<void> {
    return this.#arrivals.whenCame(count);
  }
}
