import type { ToolAccess } from '@gemini-mcp/core';
import type { CarriedContext } from '@gemini-mcp/port-contracts';
import type { RecordedRequest } from '@gemini-mcp/port-contracts/offline-api';
import * as z from 'zod';
import { frameInput, unframeMessage } from '../message/literal-channel.ts';

/** How a runner arranges a message, after the history, in the model's request. */
export type MessageLayout = {
  /**
   * Whether a text is the runner's introduction before a message, a part of its own, in the last turn as in the remembered ones of a
   * process. Never applied to the last text of a turn.
   */
  readonly isHeader: (text: string) => boolean;
  /** The message in the last text of the last turn. */
  readonly messageIn: (text: string) => string;
  /** Lines that the runner puts around a message. */
  readonly ownLines: readonly string[];
};

/** The layout of a run that reads its message from stdin. */
export const framedLayout: MessageLayout = {
  isHeader: () => false,
  messageIn: (text) => unframeMessage(text) ?? 'no frame',
  ownLines: frameInput('\0').split('\0'),
};

const partSchema = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
});

/** The message in a request of the CLI. */
export function messageIn({ userText }: RecordedRequest, layout: MessageLayout): string {
  return layout.messageIn(userText.at(-1) ?? '');
}

/** The contents of a CLI request besides the message, without the CLI's own first part. */
export function carriedBy(request: RecordedRequest, layout: MessageLayout): CarriedContext {
  const { model, apiKey, functionNames, contents, systemText, body } = request;
  const parts = contents.map((content) => content.parts.map((part) => partSchema.parse(part)));
  const turns = contents.flatMap(({ role }, index) => {
    const texts = (parts[index] ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
    const said = texts.filter((text, place) => place === texts.length - 1 || !layout.isHeader(text));
    return said.map((text) => ({ role: role === 'user' ? ('user' as const) : ('model' as const), text }));
  });
  return {
    model,
    apiKey,
    tools: toolsAmong(functionNames),
    // The first is the CLI's, the last is the message.
    history: turns.slice(1, -1),
    systemPrompt: systemText,
    media: parts
      .flat()
      .flatMap(({ inlineData }) =>
        inlineData === undefined
          ? []
          : [{ mediaType: inlineData.mimeType, bytes: new Uint8Array(Buffer.from(inlineData.data, 'base64')) }],
      ),
    whole: JSON.stringify(body),
  };
}

/**
 * The strongest effect that functions of the CLI allow Gemini. Functions outside every tool policy, such as `update_topic`, have no
 * effect.
 */
function toolsAmong(names: readonly string[]): ToolAccess {
  if (names.includes('run_shell_command') || names.includes('write_file')) {
    return 'everything';
  }
  return names.includes('google_web_search') ? 'web-search' : 'none';
}
