import type { ToolAccess } from '@gemini-mcp/core';
import type { CarriedContext } from '@gemini-mcp/port-contracts';
import type { RecordedRequest } from '@gemini-mcp/port-contracts/offline-api';
import * as z from 'zod';
import { frameInput, unframeMessage } from '../message/literal-channel.ts';

/** How a runner lays a message out in what the model gets, after what was said before. */
export type MessageLayout = {
  /**
   * Whether a text is what the runner puts before a message as a part of its own, in the last turn as in those that a process
   * remembers. The last text of a turn is never taken for it.
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

/** What a request of the CLI carries besides the message, without the CLI's own first part. */
export function handledBy(request: RecordedRequest, layout: MessageLayout): CarriedContext {
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

/** The most that functions of the CLI let Gemini do. Those that no tool policy speaks of, such as `update_topic`, let it do nothing. */
function toolsAmong(names: readonly string[]): ToolAccess {
  if (names.includes('run_shell_command') || names.includes('write_file')) {
    return 'everything';
  }
  return names.includes('google_web_search') ? 'web-search' : 'none';
}
