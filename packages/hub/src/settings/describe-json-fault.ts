import { type ParseError, printParseErrorCode } from 'jsonc-parser';

const words: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in quotes is missing here',
  ValueExpected: 'a value is missing here',
  ColonExpected: 'a colon is missing here',
  CommaExpected: 'a comma is missing before this',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'it goes on after its end',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end: its second quote is missing',
  InvalidNumberFormat: 'this is no number',
  InvalidUnicode: 'this is no character',
  InvalidEscapeCharacter: 'a \\ in a text has to be written \\\\',
  InvalidCharacter: 'a text has a line end or a tab in it',
};

/** The rest of a sentence on why a text is no JSON; `undefined` is what is nested too deeply to be read. */
export function describeJsonFault(error: Pick<ParseError, 'error'> | undefined): string {
  if (error === undefined) {
    return 'it is nested too deeply';
  }
  return words[printParseErrorCode(error.error)] ?? 'this has no meaning there';
}
