/**
 * What Gemini CLI 0.61.0 carries in one headless call. Its readStdin drops everything after 8 MiB and goes on; its check of
 * the context window counts four UTF-16 units a token against 1,048,576 tokens, less what it adds itself, and above that
 * ends with exit code 0 and no answer. 4,190,000 units were seen to pass and 4,194,304 not.
 */
export const cliMaxInputBytes = 8_388_608;
export const cliMaxInputCharacters = 4_180_000;

/** All of stdout, besides the echo of the input: more is no answer any more. */
export const maxStdoutBytes = 33_554_432;
/** The same where the results of lent tools are among it. Nothing of them is kept. */
export const maxToolRunStdoutBytes = 1_073_741_824;
export const maxStderrBytes = 67_108_864;
/** What is on stdout and is no event: more is no stream of events any more. */
export const maxStrayBytes = 1_048_576;
export const maxEventBytes = 16_777_216;
/** `{"type":"init"}`: no event is shorter, so what is need not be parsed, however much of it there is. */
export const minEventBytes = 15;

/** Kept of each text while it comes, so that redaction sees keys whole, and what goes on of it. */
export const keptBytes = 65_536;
export const shownStderrCharacters = 4_096;
export const shownMessageCharacters = 4_096;
export const shownStrayCharacters = 500;
export const shownToolNameCharacters = 100;
export const shownToolDetailCharacters = 500;

/** Error events kept, the newest: the last ones tell why a run ended. */
export const maxMessages = 20;
