import type { Sha256 } from '../ports/sha256.ts';
import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';

export type ModelToolNameOptions = ServerTool & {
  /** The reader of the name: Gemini in a run, or one of our clients. */
  readonly reader: 'gemini' | 'client';
  readonly sha256: Sha256;
};

/** With the prefix `mcp__gemini__` or `mcp_lend_`, a name stays below the 64 characters of clients, the Gemini API and the CLI. */
const maxCharacters = 50;

/** 48 bits: 100,000 lookalike names have an equal pair once in 56,000 times. */
const digestCharacters = 12;

/** For the server in a name with a digest: the tool must stay visible as well. */
const maxServerCharacters = 18;

/** Without `__`, and without a trailing `_`: the first `__` of a name ends the server. */
const plainServer = /^[A-Za-z][A-Za-z0-9-]*(?:_[A-Za-z0-9-]+)*$/;
const plainTool = /^[A-Za-z0-9_-]+$/;
const endsInDigest = /_[0-9a-f]{12}$/;

/** The Gemini CLI (0.61) refuses calls of tools with these words in the name if an argument names a build file, whatever its policy says. */
const guardedWord = /(?<![a-z0-9])(write|edit|replace|patch|update|create|append|save)(?![a-z0-9])/gi;
const changedWord = /(?<![a-z0-9])(?:writes|edits|replaces|patches|updates|creates|appends|saves)(?![a-z0-9])/i;

/**
 * The name of an upstream tool for Gemini or a client: `<server>__<tool>`, or a readable part of it and a digest of both names if that would be too
 * long, not plain, or another tool's name. It depends on nothing else, so other tools do not change it. Names are unique, barring a collision of
 * digests. A name has letters, digits, `_` and `-`, begins with a letter, has at most 50 characters, and contains `__`, which no tool of ours or of
 * the CLI does. For Gemini it contains none of the words for which the CLI guards build files.
 */
export function modelToolName({ server, tool, reader, sha256 }: ModelToolNameOptions): string {
  const spell = reader === 'gemini' ? changeGuardedWords : (text: string) => text;
  const joined = `${server}__${tool}`;
  const isPlain = plainServer.test(server) && plainTool.test(tool) && !endsInDigest.test(joined);
  const name = spell(joined);
  if (isPlain && name.length <= maxCharacters && !(reader === 'gemini' && changedWord.test(joined))) {
    return name;
  }
  const digest = sha256(JSON.stringify([server, tool])).slice(0, digestCharacters);
  const readable = `${readablePart(server, 'server').slice(0, maxServerCharacters)}__${readablePart(tool, 'tool')}`;
  return `${cutToFit(readable, spell)}_${digest}`;
}

function changeGuardedWords(text: string): string {
  return text.replace(guardedWord, (word) => `${word}${word.toLowerCase() === 'patch' ? 'es' : 's'}`);
}

/** Names are never shown beyond this length. */
const maxReadCharacters = 200;

function readablePart(name: string, fallback: string): string {
  const words = name.slice(0, maxReadCharacters).replace(/[^A-Za-z0-9-]+/g, '_');
  const trimmed = words.replace(/^[^A-Za-z]+/, '').replace(/_$/, '');
  return trimmed === '' ? fallback : trimmed;
}

/** The longest prefix that leaves room for a digest: a cut may create a guarded word, which then becomes longer. */
function cutToFit(text: string, spell: (text: string) => string): string {
  const max = maxCharacters - digestCharacters - 1;
  let end = max;
  while (spell(text.slice(0, end)).length > max) {
    end -= 1;
  }
  return spell(text.slice(0, end));
}
