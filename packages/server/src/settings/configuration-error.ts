/** A setting is wrong. The message names the variable or flag and says why, in words for the person who set it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
