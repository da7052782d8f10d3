import { type Escape, formatMessage } from '../context/context-format.ts';
import { type Extent, exceeds, fitWindow, measure, subtract } from '../context/fit-window.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { escapeAttribute } from '../text/escape-name.ts';
import { charactersPerToken } from './sent-part.ts';

export type RoomOptions = {
  readonly capabilities: RunnerCapabilities;
  /** The window of each model that may be asked. */
  readonly windowTokens: number;
  readonly history?: readonly ConversationTurn[] | undefined;
};

/**
 * The room for one message, besides the history, that a runner and every model of the chain should accept, by estimate. Non-Latin text needs more
 * tokens: if nothing counts them, the API refuses the message, and the failure says so.
 */
export function messageRoom({ capabilities, windowTokens, history = [] }: RoomOptions): Extent {
  const carried = carriedRoom({ capabilities, history });
  const estimated = windowTokens * charactersPerToken - historyCharacters(history);
  return { ...carried, characters: Math.min(carried.characters, estimated) };
}

/** The room for one message, besides the history, that a runner accepts, regardless of tokens. */
export function carriedRoom({ capabilities, history = [] }: Omit<RoomOptions, 'windowTokens'>): Extent {
  const characters = capabilities.maxInputCharacters - historyCharacters(history);
  return { bytes: capabilities.maxInputBytes, characters };
}

/** In UTF-16 code units. */
export function historyCharacters(history: readonly ConversationTurn[]): number {
  return history.reduce((sum, { text }) => sum + text.length, 0);
}

export type ComposeOptions = {
  readonly prompt: string;
  readonly bundle: ContextBundle;
  readonly room: Extent;
  /** From `boundaryFor`. */
  readonly boundary: string;
};

export type ComposedMessage = {
  readonly text: string;
  /** The documents in the message, the media that go with it, and everything left out. */
  readonly bundle: ContextBundle;
};

/** Puts the prompt and as many documents as fit into one message; media take none of its room. */
export function composeMessage({ prompt, bundle, room, boundary }: ComposeOptions): ComposedMessage {
  const toAttribute = remembering(escapeAttribute);
  const surroundings = (sent: ContextBundle): Extent =>
    measure(formatMessage(prompt, { ...sent, documents: [] }, boundary, toAttribute));
  const fit = (reserved: Extent): ContextBundle => fitWindow(bundle, subtract(room, reserved), boundary, toAttribute);
  let reserved = surroundings(bundle);
  let fitted = fit(reserved);
  // The message lists the documents left out, and that list takes room in turn.
  for (let needed = surroundings(fitted); exceeds(needed, reserved); needed = surroundings(fitted)) {
    reserved = largest(needed, reserved);
    fitted = fit(reserved);
  }
  return { text: formatMessage(prompt, fitted, boundary, toAttribute), bundle: fitted };
}

/** The same function, with its results cached. */
function remembering(make: Escape): Escape {
  const made = new Map<string, string>();
  return (text) => {
    const known = made.get(text) ?? make(text);
    made.set(text, known);
    return known;
  };
}

function largest(one: Extent, other: Extent): Extent {
  return {
    bytes: Math.max(one.bytes, other.bytes),
    characters: Math.max(one.characters, other.characters),
  };
}
