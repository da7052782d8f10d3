/**
 * How a text reaches the model as it is.
 *
 * The CLI reads its input for commands: a first `/` runs one of its own, every `@name` is looked up as a file or an agent, and
 * what resolves rewrites the text around it (`@./` and `@generalist` do so even in an empty directory with everything
 * ignored; tens of thousands of `@` exhaust its memory). A *custom* command is the exception: Gemini CLI 0.61.0 appends the
 * whole line that called it to the command's prompt, untouched, and looks at nothing in it. So we install one, and every
 * message is a call of it. The CLI trims the ends, so both ends are ours.
 */
export const commandName = 'gemini-mcp-request';

const opening = `/${commandName}\n`;
const closing = '\n[end of request]';

const prompt =
  'This request comes through gemini-mcp-server. It stands, word for word, ' +
  `between the line "${opening.trim()}" and the line "${closing.trim()}".`;

export type CommandFileOptions = {
  /**
   * Files in a directory that the CLI may read: it puts their bytes in the place of the placeholders, as parts before the
   * text, and looks for placeholders nowhere else.
   */
  readonly mediaNames: readonly string[];
  /** A sentence of ours that comes before the request; null for none. */
  readonly note: string | null;
};

/** The file that makes the CLI know the command. */
export function buildCommandFile({ mediaNames, note }: CommandFileOptions): string {
  const placeholders = mediaNames.map((name) => `@{${name}}`).join('');
  const text = note === null ? prompt : `${note}\n${prompt}`;
  return `description = "Delivers a request literally"\nprompt = ${JSON.stringify(placeholders + text)}\n`;
}

/** What the CLI reads on stdin for an input. */
export function frameInput(input: string): string {
  return opening + input + closing;
}

/** The input in a message as the model received it, null when the frame is not whole. */
export function unframeMessage(message: string): string | null {
  const start = `${prompt}\n\n${opening}`;
  const begin = message.indexOf(start);
  return begin !== -1 && message.endsWith(closing) ? message.slice(begin + start.length, -closing.length) : null;
}

/** What the frame adds to an input, in bytes and characters alike: it is all ASCII. */
export const frameLength: number = prompt.length + 2 + opening.length + closing.length;
