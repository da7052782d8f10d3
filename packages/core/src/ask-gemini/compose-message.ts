import { type Escape, formatMessage } from '../context/context-format.ts';
import { type Extent, exceeds, fitWindow, measure, subtract } from '../context/fit-window.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { ConversationTurn } from '../ports/gemini-runner/run-request.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner/runner-capabilities.ts';
import { escapeAttribute } from '../text/escape-name.ts';
import { charactersPerToken } from './sent-part.ts';

export type RoomOptions = {
  readonly capabilities: RunnerCapabilities;
  /** Of each model that may be asked. */
  readonly windowTokens: number;
  readonly history?: readonly ConversationTurn[] | undefined;
};

/**
 * What a runner and every model of the chain can carry in one message by the estimate, in addition to what was said before. Text in
 * other scripts than the Latin one needs more tokens: where nothing counts them, the API refuses it, and that is told.
 */
export function messageRoom({ capabilities, windowTokens, history = [] }: RoomOptions): Extent {
  const carried = carriedRoom({ capabilities, history });
  const estimated = windowTokens * charactersPerToken - historyCharacters(history);
  return { ...carried, characters: Math.min(carried.characters, estimated) };
}

/** What a runner can carry in one message, in addition to what was said before, however many tokens it comes to. */
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
  /** As `boundaryFor` makes it. */
  readonly boundary: string;
};

export type ComposedMessage = {
  readonly text: string;
  /** The documents that are in it, the media that go with it, and everything that is left out. */
  readonly bundle: ContextBundle;
};

/** Puts the prompt and as many of the documents as there is room for into one message; media take none of that room. */
export function composeMessage({ prompt, bundle, room, boundary }: ComposeOptions): ComposedMessage {
  const toAttribute = remembering(escapeAttribute);
  const surroundings = (sent: ContextBundle): Extent =>
    measure(formatMessage(prompt, { ...sent, documents: [] }, boundary, toAttribute));
  const fit = (reserved: Extent): ContextBundle => fitWindow(bundle, subtract(room, reserved), boundary, toAttribute);
  let reserved = surroundings(bundle);
  let fitted = fit(reserved);
  // What is left out is told in the message, and to tell it takes room again.
  for (let needed = surroundings(fitted); exceeds(needed, reserved); needed = surroundings(fitted)) {
    reserved = largest(needed, reserved);
    fitted = fit(reserved);
  }
  return { text: formatMessage(prompt, fitted, boundary, toAttribute), bundle: fitted };
}

/** The same function, which makes nothing of the same text twice. */
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
