import type { Clock } from '@gemini-mcp/core';
import { type ArgumentCompletion, escapeName, type UpstreamServers } from '@gemini-mcp/core/internal';
import { isJsonObject } from '../input/request-params.ts';
import type { Completer, Suggestions } from '../surface/prompt.ts';

export type ServerCompleterParts = { readonly servers: Pick<UpstreamServers, 'request'>; readonly clock: Clock };

/** An argument of a prompt or a variable of a resource template, by the names of its server. */
export type CompletedArgument = Pick<ArgumentCompletion, 'of' | 'name' | 'argument'> & { readonly server: string };

/** A person who is typing does not wait for a slower server. */
const longestWaitMs = 5_000;

/** The protocol's own limit. */
const maxValues = 100;

/** Longer values are dropped: a client could not send them back. */
const maxValueCharacters = 1_000;
const maxTotalCharacters = 20_000;

const none: Suggestions = { values: [], total: null, hasMore: false };

/**
 * Asks a server for values for one of its own arguments. Returns no suggestions if it cannot answer soon: a person goes on typing.
 * Leaves out a value with invisible characters, because the client would send something else than it shows.
 */
export function createServerCompleter(
  { server, ...completed }: CompletedArgument,
  { servers, clock }: ServerCompleterParts,
): Completer {
  return async (value, { given, signal, trace }) => {
    const asks = { type: 'completion', ...completed, value, given } as const;
    const deadlineAtMs = clock.now() + longestWaitMs;
    const reply = await servers.request({ server, asks, deadlineAtMs, questions: null, trace }, signal);
    return reply.type === 'answered' ? readSuggestions(reply.result['completion']) : none;
  };
}

function readSuggestions(completion: unknown): Suggestions {
  const { values, total, hasMore } = isJsonObject(completion) ? completion : {};
  const said: readonly unknown[] = Array.isArray(values) ? values : [];
  const looked = said.slice(0, maxValues);
  const shown = new Set<string>();
  let characters = 0;
  for (const value of looked.filter((each) => isShowable(each))) {
    characters += value.length;
    if (characters > maxTotalCharacters) {
      break;
    }
    shown.add(value);
  }
  const isCut = said.length > looked.length || characters > maxTotalCharacters;
  return { values: [...shown], total: readTotal(total, shown.size), hasMore: isCut || hasMore === true };
}

function isShowable(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxValueCharacters && escapeName(value) === value;
}

/** Null if the total cannot be a count of these values. */
function readTotal(total: unknown, shown: number): number | null {
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= shown ? total : null;
}
