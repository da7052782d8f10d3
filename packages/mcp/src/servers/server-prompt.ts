import type { Clock } from '@gemini-mcp/core';
import { maxResultBytes, type UpstreamServers, utf8Length } from '@gemini-mcp/core/internal';
import type { ContentBlock } from '../content/content-block.ts';
import { makeBlocksSafe } from '../content/make-blocks-safe.ts';
import { errorCodes, isJsonObject, RpcError } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Prompt, PromptMessage, PromptText } from '../surface/prompt.ts';
import { readBlocks } from './offer-result.ts';
import { shownName, shownWords } from './offer-schema.ts';
import type { CatalogPrompt } from './server-catalog.ts';
import { createServerCompleter } from './server-completer.ts';
import { describeFailedReply, originOf } from './server-tool.ts';

export type ServerPromptParts = { readonly servers: Pick<UpstreamServers, 'request'>; readonly clock: Clock };

const longestWaitMs = 600_000;

const maxArguments = 30;
const maxDescriptionCharacters = 1_000;
const maxMessages = 100;

/** Beyond it a message would hold only a note that the rest did not fit. */
const maxTextBytes = maxResultBytes - 300;

/** A name that every client can show and send back, and that no object has as an inherited property. */
const usableName = /^(?!__proto__$)[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

/** A prompt of another server as one of ours. Null if a client could not give its arguments. */
export function createServerPrompt({ name, server, listed }: CatalogPrompt, parts: ServerPromptParts): Prompt | null {
  const { arguments: args } = listed;
  const names = new Set(args.map((each) => each.name));
  if (args.length > maxArguments || names.size < args.length || ![...names].every((each) => usableName.test(each))) {
    return null;
  }
  return {
    name,
    title: shownName(listed.title ?? listed.name),
    description: `${originOf(server)} ${shownWords(listed.description, maxDescriptionCharacters)}`.trimEnd(),
    arguments: args.map((each) => ({
      name: each.name,
      description: shownWords(each.description, maxDescriptionCharacters),
      required: each.isRequired,
      complete: createServerCompleter({ server, of: 'prompt', name: listed.name, argument: each.name }, parts),
    })),
    get: async (given, { signal, trace }) => {
      const asks = { type: 'prompt', prompt: listed.name, arguments: given } as const;
      const deadlineAtMs = parts.clock.now() + longestWaitMs;
      const reply = await parts.servers.request({ server, asks, deadlineAtMs, questions: null, trace }, signal);
      if (reply.type !== 'answered') {
        throw new RpcError(errorCodes.internalError, describeFailedReply(reply, server));
      }
      return readPrompt(reply.result, server);
    },
  };
}

function readPrompt({ description, messages }: JsonObject, server: string): PromptText {
  const all: readonly unknown[] = Array.isArray(messages) ? messages : [];
  const read: PromptMessage[] = [];
  let textBefore = '';
  for (const message of all.slice(0, maxMessages)) {
    const { role, content } = isJsonObject(message) ? message : {};
    const { blocks } = readBlocks([content], server);
    const safe = makeBlocksSafe(blocks, { textBefore, uriSchemes: ['gemini'] });
    read.push(...safe.map((block) => ({ role: role === 'assistant' ? 'assistant' : 'user', block }) as const));
    textBefore += safe.map(textOf).join('');
    if (utf8Length(textBefore) > maxTextBytes) {
      break;
    }
  }
  return {
    ...(typeof description === 'string' && { description: shownWords(description, maxDescriptionCharacters) }),
    messages: read,
  };
}

/** The text that counts towards the limit that all messages share. */
function textOf(block: ContentBlock): string {
  return block.type === 'text' ? block.text : JSON.stringify(block).slice(0, 1_000);
}
