/**
 * The limit of a tool result in UTF-8 bytes, and so in characters: clients cut longer ones, or refuse them, each in its own way. Codex keeps about
 * 48,000 bytes and cuts the middle.
 */
export const maxResultBytes = 40_000;
