import { changingInputs, changingTexts, type RunnerMutant } from './runner-mutant.ts';

/** How they change the text of a message, or of an answer. */
export const runnerTextMutants: readonly RunnerMutant[] = [
  { name: 'trims-message', wrong: 'drops white space around a message', mutate: changingInputs((text) => text.trim()) },
  {
    name: 'drops-last-line-end',
    wrong: 'drops the line end after a message',
    mutate: changingInputs((text) => text.replace(/\n$/, '')),
  },
  {
    name: 'composes-message',
    wrong: 'turns a message into composed characters (NFC)',
    mutate: changingInputs((text) => text.normalize('NFC')),
  },
  {
    name: 'decomposes-message',
    wrong: 'turns a message into decomposed characters (NFD)',
    mutate: changingInputs((text) => text.normalize('NFD')),
  },
  {
    name: 'changes-line-ends',
    wrong: 'turns CRLF into LF in a message',
    mutate: changingInputs((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'splits-lines',
    wrong: 'turns U+2028 into a line end',
    mutate: changingInputs((text) => text.replaceAll('\u2028', '\n')),
  },
  {
    name: 'drops-bom',
    wrong: 'drops a byte order mark that begins a message',
    mutate: changingInputs((text) => text.replace(/^\ufeff/, '')),
  },
  { name: 'drops-nul', wrong: 'drops NUL', mutate: changingInputs((text) => text.replaceAll('\0', '')) },
  {
    name: 'ends-at-nul',
    wrong: 'takes NUL for the end of a message',
    mutate: changingInputs((text) => text.replace(/\0.*$/s, '')),
  },
  {
    name: 'drops-emoji',
    wrong: 'carries the first plane of Unicode',
    mutate: changingInputs((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  {
    name: 'reads-files',
    wrong: 'reads the file that a message names after @',
    mutate: changingInputs((text) => text.replace(/(?<!\w)@[\w./]+/g, 'the content of a file')),
  },
  {
    name: 'obeys-commands',
    wrong: 'takes a message that begins with / for a command of its own',
    mutate: (right) => ({
      run: async function* run(request, signal) {
        if (request.input.startsWith('/')) {
          yield { type: 'text', text: 'Done.' };
          yield { type: 'answer', ending: { type: 'complete' } };
          return;
        }
        yield* right.run(request, signal);
      },
    }),
  },
  {
    name: 'asks-for-help',
    wrong: 'takes a message of one question mark for a call for help',
    mutate: changingInputs((text) => (text === '?' ? '/help' : text)),
  },
  {
    name: 'reads-options',
    wrong: 'drops what looks like an option at the beginning of a message',
    mutate: changingInputs((text) => text.replace(/^--\S+/, '')),
  },
  {
    name: 'fills-variables',
    wrong: 'puts values in the place of variables',
    mutate: changingInputs((text) => text.replace(/\$(\{\w+\}|\w+)/g, 'a value')),
  },
  {
    name: 'unescapes',
    wrong: 'takes a backslash before @ away',
    mutate: changingInputs((text) => text.replaceAll('\\@', '@')),
  },
  {
    name: 'adds-header',
    wrong: 'puts a line of its own before a message',
    mutate: changingInputs((text) => `The user says:\n${text}`),
  },
  {
    name: 'trims-answer',
    wrong: 'drops white space around each piece of an answer',
    mutate: changingTexts((text) => text.trim()),
  },
  {
    name: 'composes-answer',
    wrong: 'turns an answer into composed characters (NFC)',
    mutate: changingTexts((text) => text.normalize('NFC')),
  },
  {
    name: 'changes-answer-line-ends',
    wrong: 'turns CRLF into LF in an answer',
    mutate: changingTexts((text) => text.replaceAll('\r\n', '\n')),
  },
  {
    name: 'drops-answer-bom',
    wrong: 'drops byte order marks in an answer',
    mutate: changingTexts((text) => text.replaceAll('\ufeff', '')),
  },
  {
    name: 'cuts-answer',
    wrong: 'tells the first thousand characters of each piece of an answer',
    mutate: changingTexts((text) => text.slice(0, 1_000)),
  },
];
