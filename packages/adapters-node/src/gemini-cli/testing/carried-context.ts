import type { RecordedRequest } from '@gemini-mcp/fake-gemini';
import type { CarriedContext } from '@gemini-mcp/port-contracts';
import * as z from 'zod';

/** How a runner lays a message out in what the model gets, behind what was said before. */
export type MessageLayout = {
  /** How many text parts at the end are the runner's: the message, and whatever it puts before it in a part of its own. */
  readonly textParts: number;
  /** The message in the text of the last one. */
  readonly messageIn: (text: string) => string;
  /** Lines that the runner puts around a message. */
  readonly ownLines: readonly string[];
};

const partSchema = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional(),
});

/** The message in a request of the CLI. */
export function messageIn({ userText }: RecordedRequest, layout: MessageLayout): string {
  return layout.messageIn(userText.at(-1) ?? '');
}

/** What a request of the CLI carries beside the message, without the CLI's own first part. */
export function carriedBy(request: RecordedRequest, { textParts }: MessageLayout): CarriedContext {
  const { contents, systemText, body } = request;
  const parts = contents.flatMap((content) =>
    content.parts.map((part) => ({
      role: content.role === 'user' ? ('user' as const) : ('model' as const),
      ...partSchema.parse(part),
    })),
  );
  const texts = parts.flatMap(({ role, text }) => (text === undefined ? [] : [{ role, text }]));
  return {
    history: texts.slice(1, -textParts),
    systemPrompt: systemText,
    media: parts.flatMap(({ inlineData }) =>
      inlineData === undefined
        ? []
        : [{ mediaType: inlineData.mimeType, bytes: new Uint8Array(Buffer.from(inlineData.data, 'base64')) }],
    ),
    whole: JSON.stringify(body),
  };
}
