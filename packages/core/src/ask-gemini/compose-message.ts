import { formatMessage } from '../context/context-format.ts';
import { type Extent, exceeds, fitWindow, measure, subtract } from '../context/fit-window.ts';
import { chainWindowTokens } from '../fallback/model-chain.ts';
import type { ContextBundle } from '../ports/context-resolver.ts';
import type { RunnerCapabilities } from '../ports/gemini-runner.ts';

/** English and code come to about four characters a token (the Gemini documentation); more of them cannot fit a window. */
const charactersPerToken = 4;

/**
 * What a runner and every model of the chain can carry in one message. Text in other scripts needs more tokens: what only
 * the API can count, the API refuses, and that is told.
 */
export function messageRoom(capabilities: RunnerCapabilities, chain: readonly string[]): Extent {
  return {
    bytes: capabilities.maxInputBytes,
    characters: Math.min(capabilities.maxInputCharacters, chainWindowTokens(chain) * charactersPerToken),
  };
}

export type ComposeOptions = {
  readonly prompt: string;
  readonly bundle: ContextBundle;
  readonly room: Extent;
  readonly createBoundary: () => string;
};

export type ComposedMessage = {
  readonly text: string;
  /** The documents that are in it, and everything that is not. */
  readonly bundle: ContextBundle;
};

/** Puts the prompt and as many of the documents as there is room for into one message. */
export function composeMessage({ prompt, bundle, room, createBoundary }: ComposeOptions): ComposedMessage {
  const boundary = unusedBoundary(prompt, bundle, createBoundary);
  const surroundings = ({ leftOut }: ContextBundle): Extent =>
    measure(formatMessage(prompt, { documents: [], leftOut }, boundary));
  let reserved = surroundings(bundle);
  let fitted = fitWindow(bundle, subtract(room, reserved), boundary);
  // What is left out is told in the message, and to tell it takes room again.
  for (let needed = surroundings(fitted); exceeds(needed, reserved); needed = surroundings(fitted)) {
    reserved = largest(needed, reserved);
    fitted = fitWindow(bundle, subtract(room, reserved), boundary);
  }
  return { text: formatMessage(prompt, fitted, boundary), bundle: fitted };
}

function largest(one: Extent, other: Extent): Extent {
  return {
    bytes: Math.max(one.bytes, other.bytes),
    characters: Math.max(one.characters, other.characters),
  };
}

/** A boundary that stands in no text of the message, so that nobody's text can imitate our tags. */
function unusedBoundary(prompt: string, bundle: ContextBundle, createBoundary: () => string): string {
  const texts = [prompt, ...bundle.documents.flatMap((document) => [document.path, document.text])];
  let boundary = createBoundary();
  while (texts.some((text) => text.includes(boundary)) || bundle.leftOut.some(({ path }) => path.includes(boundary))) {
    boundary = createBoundary();
  }
  return boundary;
}
