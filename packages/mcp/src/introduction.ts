/** How a server introduces itself to its clients. */
export type Introduction = {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the client's model reads about the whole server: what its tools are for, and which to use when. */
  readonly instructions: string;
};

const instructions = `Lends you Google's Gemini, a second model with a large context window, through the Gemini CLI on this machine.
Use gemini_query to have many or large files read and judged without their contents entering your own context: pass names \
(files, glob_patterns, directories), not contents. Also use it for a second opinion on a plan, a review or a bug. Gemini sees only \
the prompt and the files that you name in one call: say in the prompt all that it must know. Where offered beside it, chat and \
chat-reply hold a conversation that Gemini remembers, googleSearch answers from the web with sources, gemini_read reads on in a \
long answer by its handle, and gemini_job follows a call that runs in the background.
The end of each answer names the model that answered and what was left out. The resource gemini://manual says more.`;

export const geminiIntroduction: Introduction = { name: 'gemini-mcp-server', title: 'Gemini', instructions };
