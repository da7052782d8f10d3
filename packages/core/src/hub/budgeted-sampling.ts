import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { withoutFiles } from '../ask-gemini/ask-request.ts';
import { estimateTokens } from '../ask-gemini/sent-part.ts';
import { escapeName } from '../context/escape-name.ts';
import type { Clock } from '../ports/clock.ts';
import { type ConversationTurn, plainRunSettings } from '../ports/gemini-runner.ts';
import type { SamplingAnswer, SamplingRequest, ServerSampling } from './server-sampling.ts';

export type BudgetedSamplingOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** Questions of one server of one owner in an hour. */
  readonly maxQuestions: number;
  /** Of questions and answers of one server of one owner in an hour, as they are estimated. */
  readonly maxTokens: number;
  /** Takes a line for the log, with the name of the server in front. */
  readonly log: (line: string) => void;
};

const hourMs = 3_600_000;
const timeoutMs = 120_000;

type Spent = { readonly atMs: number; tokens: number };

/** Asks Gemini for other servers, within a budget for each. Gemini gets their words alone: no files, no tools. */
export class BudgetedSampling implements ServerSampling {
  readonly #options: BudgetedSamplingOptions;
  readonly #spent = new Map<string, Spent[]>();

  constructor(options: BudgetedSamplingOptions) {
    this.#options = options;
  }

  async answer(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    const { log, maxQuestions } = this.#options;
    const history = joinTurns(request.turns);
    const last = history.pop();
    if (last?.role !== 'user' || history[0]?.role === 'model') {
      return refused('The messages begin and end with one of the user.');
    }
    const tokens = estimateTokens(lengthOf(request));
    const spending = this.#spend(request, tokens);
    if (typeof spending === 'string') {
      log(`${escapeName(request.server)}: a question to Gemini was refused. ${spending}`);
      return refused(spending);
    }
    const { entry, count } = spending;
    log(
      `${escapeName(request.server)}: asks Gemini, question ${count} of ${maxQuestions} in an hour, about ${tokens} tokens.`,
    );
    const settings = { ...plainRunSettings, systemPrompt: request.systemPrompt };
    const asking = { ...withoutFiles, prompt: last.text, history, settings, model: null, timeoutMs };
    const owner = request.owner ?? `server ${request.server}`;
    const asked = await this.#options.askGemini.ask({ ...asking, owner }, () => undefined, signal);
    if (!asked.ok) {
      return refused('Gemini gave no answer.');
    }
    const { text, model } = asked.answer;
    entry.tokens += estimateTokens(text.length);
    return { type: 'answered', text, model };
  }

  #spend(request: SamplingRequest, tokens: number): { readonly entry: Spent; readonly count: number } | string {
    const { clock, maxQuestions, maxTokens } = this.#options;
    const nowMs = clock.now();
    const spent = this.#forgetOld(request, nowMs);
    if (spent.length >= maxQuestions) {
      return `No more than ${maxQuestions} questions are answered in an hour.`;
    }
    if (spent.reduce((sum, one) => sum + one.tokens, tokens) > maxTokens) {
      return 'The tokens for questions in an hour are used up.';
    }
    const entry = { atMs: nowMs, tokens };
    spent.push(entry);
    return { entry, count: spent.length };
  }

  #forgetOld({ owner, server }: SamplingRequest, nowMs: number): Spent[] {
    const key = JSON.stringify([owner, server]);
    for (const [each, spent] of this.#spent) {
      const recent = spent.filter(({ atMs }) => atMs > nowMs - hourMs);
      if (recent.length === 0) {
        this.#spent.delete(each);
      } else {
        this.#spent.set(each, recent);
      }
    }
    const recent = this.#spent.get(key) ?? [];
    this.#spent.set(key, recent);
    return recent;
  }
}

function lengthOf({ systemPrompt, turns }: SamplingRequest): number {
  return turns.reduce((sum, { text }) => sum + text.length, systemPrompt?.length ?? 0);
}

/** A conversation alternates: what one side says in several messages is one. */
function joinTurns(turns: readonly ConversationTurn[]): ConversationTurn[] {
  const joined: ConversationTurn[] = [];
  for (const turn of turns) {
    const before = joined.at(-1);
    if (before?.role === turn.role) {
      joined[joined.length - 1] = { role: turn.role, text: `${before.text}\n\n${turn.text}` };
    } else {
      joined.push(turn);
    }
  }
  return joined;
}

function refused(message: string): SamplingAnswer {
  return { type: 'refused', message };
}
