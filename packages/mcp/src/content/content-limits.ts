/**
 * Bounds of one result. The API of Claude Code refuses an image of more than 5 MB in Base64, or of more than 8,000 pixels on a side,
 * and with it the whole conversation that has it. Clients on the SDK close a connection over stdio on which a message of more than
 * 10 MB comes.
 */
export const contentLimits = {
  blocks: 50,
  /** Decoded: 5,000,000 characters of Base64. */
  bytesOfBlock: 3_750_000,
  /** Decoded, of all blocks together: 8,000,000 characters of Base64. */
  bytes: 6_000_000,
  pixelsOfSide: 8_000,
  nameCharacters: 200,
  descriptionCharacters: 1_000,
} as const;
