import type { AnswerStore, AnswerSummary, StoredAnswer } from '@gemini-mcp/core';
import { countOf } from '@gemini-mcp/core/internal';
import { escapeLongText } from '../content/escape-long-text.ts';
import type { Completer } from '../surface/prompt.ts';
import type { ResourceContents, ResourceEntry, ResourceProvider, ResourceText } from '../surface/resource-provider.ts';
import { formatTime, listIfReadable, markdown, quoteTitle } from '../surface/resource-provider.ts';
import type { SurfaceContext } from '../surface/surface-context.ts';

const listUri = 'gemini://answers';
const answerUri = /^gemini:\/\/answers\/([a-z0-9]{1,32})$/;

/** Limited, because a client shows the list whole. */
const maxListed = 20;
const maxShown = 200;

const template = {
  uriTemplate: `${listUri}/{handle}`,
  name: 'answer',
  title: 'Long answer of Gemini',
  description: 'A stored answer whole, by the handle that its result named',
  mimeType: 'text/markdown',
} as const;

const listEntry: ResourceEntry = {
  uri: listUri,
  name: 'answers',
  title: 'Long answers of Gemini',
  description: 'Your answers that were too long for one result, newest first, with the handles for gemini_read',
  mimeType: 'text/markdown',
};

/** The stored answers of the owner who asks: a list of them, and the text of each. */
export function createAnswerResources(answers: Pick<AnswerStore, 'list' | 'load'>): ResourceProvider {
  const completeHandle: Completer = async (value, { owner, signal }) => {
    const found = await answers.list(owner, maxShown, signal);
    return found.map(({ handle }) => handle).filter((handle) => handle.startsWith(value.toLowerCase()));
  };
  return {
    templates: [{ ...template, complete: { handle: completeHandle } }],
    list: async ({ owner, signal }) => {
      const newest = await listIfReadable(answers.list(owner, maxListed, signal));
      return [listEntry, ...newest.map(presentEntry)];
    },
    read: (uri, context) => readAnswer(answers, uri, context),
  };
}

async function readAnswer(
  answers: Pick<AnswerStore, 'list' | 'load'>,
  uri: string,
  { owner, signal }: SurfaceContext,
): Promise<ResourceText | ResourceContents | null> {
  if (uri === listUri) {
    return presentList(await answers.list(owner, maxShown, signal));
  }
  const handle = answerUri.exec(uri)?.[1];
  const answer = handle === undefined ? null : await answers.load(owner, handle, signal);
  if (answer === null) {
    return null;
  }
  // Stored in the form shown, except by another version.
  return presentAnswer(uri, { ...answer, text: await escapeLongText(answer.text) });
}

/** The text, and a note on how it ended as a separate part. */
function presentAnswer(uri: string, { text, endNote }: StoredAnswer): ResourceText | ResourceContents {
  const { mimeType } = template;
  return endNote === undefined
    ? { mimeType, text }
    : { contents: [text, `[${endNote}]`].map((part) => ({ uri, mimeType, text: part })) };
}

function presentEntry({ handle, title, characters, createdAtMs }: AnswerSummary): ResourceEntry {
  return {
    uri: `${listUri}/${handle}`,
    name: `answer ${handle}`,
    title: `Answer to ${quoteTitle(title)}`,
    description: `${countOf(characters, 'character')}, of ${formatTime(createdAtMs)}`,
    mimeType: 'text/markdown',
  };
}

function presentList(answers: readonly AnswerSummary[]): ResourceText {
  const lines = answers.map(
    ({ handle, title, characters, createdAtMs }) =>
      `- \`${handle}\` ${formatTime(createdAtMs)}, ${countOf(characters, 'character')}, to ${quoteTitle(title)}`,
  );
  return markdown(
    '# Long answers of Gemini',
    lines.length === 0
      ? 'No answers. An answer that is too long for one result is stored here for a while.'
      : 'Newest first. The tool gemini_read reads one in parts by its handle.',
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  );
}
