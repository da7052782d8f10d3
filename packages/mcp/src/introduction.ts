/** How a server introduces itself to its clients. */
export type Introduction = {
  /** For programs. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the client's model reads about the whole server: what its tools are for, and which to use when. */
  readonly instructions: string;
};

const instructions = `Lends you Google's Gemini, a second model with a large context window. \
To have many or large files read, to review code, or for a second opinion: gemini_query, with names of files, not contents. To search \
the web: googleSearch. For a conversation: chat. A server may offer only some of these. \
The resource gemini://manual says how to use them well.`;

export const geminiIntroduction: Introduction = { name: 'gemini-mcp-server', title: 'Gemini', instructions };
