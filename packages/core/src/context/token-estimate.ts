/** English and code come to about four characters a token, as the Gemini documentation has it. */
const tokensPerAsciiCharacter = 0.25;
/** The upper end of what other scripts need. */
const tokensPerOtherCharacter = 1;

/** Tokens that a text will come to, roughly: good for shares of a window, not for bills. */
export function estimateTokens(text: string): number {
  const others = countNonAscii(text);
  return Math.ceil((text.length - others) * tokensPerAsciiCharacter + others * tokensPerOtherCharacter);
}

/** UTF-16 code units above 127. */
function countNonAscii(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 127) {
      count += 1;
    }
  }
  return count;
}
