/**
 * How a text reaches the model unchanged.
 *
 * The CLI scans its input for commands: a leading `/` runs one of its own, every `@name` is looked up as a file or an agent, and a match
 * rewrites the text around it (`@./` and `@generalist` match even in an empty directory with everything ignored; tens of thousands of `@`
 * exhaust its memory). A *custom* command is the exception: Gemini CLI 0.61.0 appends the whole line that called it to the command's
 * prompt, untouched and unscanned. So we install one, and every message is a call of it. The CLI trims the ends, so both ends are ours.
 */
export const commandName = 'gemini-mcp-request';

const opening = `/${commandName}\n`;
const closing = '\n[end of request]';

const prompt =
  'This request comes through gemini-mcp-server. You find it, word for word, ' +
  `between the line "${opening.trim()}" and the line "${closing.trim()}".`;

export type CommandFileOptions = {
  /**
   * Files in a directory that the CLI may read: it replaces the placeholders with their bytes, as parts before the text, and looks for
   * placeholders nowhere else.
   */
  readonly mediaNames: readonly string[];
  /** A sentence of ours before the request; null if not needed. */
  readonly note: string | null;
};

/** The file that defines the command for the CLI. */
export function buildCommandFile({ mediaNames, note }: CommandFileOptions): string {
  const placeholders = mediaNames.map((name) => `@{${name}}`).join('');
  const text = note === null ? prompt : `${note}\n${prompt}`;
  return `description = "Delivers a request literally"\nprompt = ${JSON.stringify(placeholders + text)}\n`;
}

/** The CLI's stdin for an input. */
export function frameInput(input: string): string {
  return opening + input + closing;
}

/** The input in a message that the model received; null if the frame is incomplete. */
export function unframeMessage(message: string): string | null {
  const start = `${prompt}\n\n${opening}`;
  const begin = message.indexOf(start);
  return begin !== -1 && message.endsWith(closing) ? message.slice(begin + start.length, -closing.length) : null;
}

/** The size of the frame, in bytes and characters alike: it is all ASCII. */
export const frameLength: number = prompt.length + 2 + opening.length + closing.length;
