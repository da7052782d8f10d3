/**
 * No result of a tool takes more bytes of UTF-8, and so it has no more characters: beyond that clients cut it, or refuse it, each in
 * its own way. Codex keeps some 48,000 bytes and cuts the middle.
 */
export const maxResultBytes = 40_000;
