/**
 * The most that Gemini CLI 0.61.0 handles in one headless call. Its readStdin silently drops everything after 8 MiB. Its check of the
 * context window counts four UTF-16 units a token against 1,048,576 tokens, less its own additions, and ends with exit code 0 and no
 * answer above that. Measured: 4,190,000 units pass and 4,194,304 do not.
 */
export const cliMaxInputBytes = 8_388_608;
export const cliMaxInputCharacters = 4_180_000;

/** Limit for all of stdout except the echo of the input: larger output is not an answer. */
export const maxStdoutBytes = 33_554_432;
/** The same for runs with model tools, whose results are on stdout too. The recorder does not keep them. */
export const maxToolRunStdoutBytes = 1_073_741_824;
export const maxStderrBytes = 67_108_864;
/** Limit for stdout that holds no events: larger output is not a stream of events. */
export const maxStrayBytes = 1_048_576;
export const maxEventBytes = 16_777_216;
/** `{"type":"init"}`, the shortest event: shorter lines need no parsing, however many there are. */
export const minEventBytes = 15;

/** Kept of each incoming text, so that redaction sees keys whole, and of its continuation. */
export const keptBytes = 65_536;
export const shownStderrCharacters = 4_096;
export const shownMessageCharacters = 4_096;
export const shownStrayCharacters = 500;
export const shownToolNameCharacters = 100;
export const shownToolDetailCharacters = 500;

/** Error events kept, the newest ones: they explain why a run ended. */
export const maxMessages = 20;
