/** In a prompt, it makes the scripted API answer in many pieces. */
export const longAnswerPrompt = 'Answer at length.';
export const piecesOfLongAnswer = 20_000;

/** In a prompt, it makes the API say in its first piece when it sent that. */
export const stampPrompt = 'What time is it?';
export const stampMark = 'sent-at ';
