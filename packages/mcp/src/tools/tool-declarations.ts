import { type Scope, scopes } from '../surface/scope.ts';
import type { Tool, ToolAnnotations } from '../surface/tool.ts';

/** More than any result of ours: dense text of fewer characters is so many tokens that Claude Code would put it into a file. */
const maxResultCharacters = 50_000;

/** Text goes to Google. Not idempotent: each call spends quota and may get another answer. A conversation is a record of ours. */
const asking: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Reads records of ours. */
const looking: ToolAnnotations = { ...asking, idempotentHint: true, openWorldHint: false };

const files: readonly Scope[] = ['gemini:files'];

/** Calls tools of other servers, with the user's consent. */
const servers: readonly Scope[] = ['gemini:servers'];

/** Web pages may come in, as by a search. */
const web: readonly Scope[] = ['gemini:search'];

export const geminiQuery: ToolDeclaration = {
  name: 'gemini_query',
  otherNames: ['ask_gemini', 'gemini_ask'],
  title: 'Ask Gemini about code and files',
  searchHint:
    'ask read many files huge file fit context whole repository explain architecture image screenshot pdf document codebase check design mistakes api source extract data json critique bug function module',
  isLoadedAtOnce: true,
  maxResultCharacters,
  group: 'query',
  restPath: 'gemini-query',
  scopes: {
    always: ['gemini:query'],
    byArgument: { files, glob_patterns: files, directories: files, urls: web, servers },
  },
  example: { prompt: 'What does this program do?', files: ['README.md'], glob_patterns: ['src/**/*.ts'] },
  annotations: asking,
};

export const geminiContext: ToolDeclaration = {
  name: 'gemini_context',
  title: 'Preview the context of a question',
  searchHint: 'token count size estimate cost preview',
  maxResultCharacters,
  group: 'query',
  restPath: 'gemini-context',
  scopes: { always: ['gemini:query', 'gemini:files'], byArgument: {} },
  example: { directories: ['src'] },
  annotations: { ...looking, openWorldHint: true },
};

export const geminiReview: ToolDeclaration = {
  name: 'gemini_review',
  title: 'Have Gemini review a change',
  maxResultCharacters,
  group: 'query',
  restPath: 'gemini-review',
  scopes: { always: ['gemini:query', 'gemini:files'], byArgument: {} },
  example: { change: 'branch' },
  annotations: asking,
};

/** Needs no scope: the owner alone may read an answer. */
export const geminiRead: ToolDeclaration = {
  name: 'gemini_read',
  title: 'See the rest of a long answer',
  searchHint: 'rest next page continue long result',
  maxResultCharacters,
  group: 'results',
  restPath: 'gemini-read',
  scopes: { always: [], byArgument: {} },
  example: { handle: 'a1b2c3', offset: 40_000 },
  annotations: looking,
};

/** Needs no scope: the owner alone may see a job. */
export const geminiJob: ToolDeclaration = {
  name: 'gemini_job',
  title: 'Follow a job of Gemini',
  searchHint: 'status wait cancel background running progress',
  maxResultCharacters,
  group: 'results',
  restPath: 'gemini-job',
  scopes: { always: [], byArgument: {} },
  example: { handle: 'a1b2c3', action: 'wait', timeout: 60 },
  annotations: looking,
};

export const chat: ToolDeclaration = {
  name: 'chat',
  otherNames: ['gemini_chat'],
  title: 'Chat with Gemini',
  maxResultCharacters,
  group: 'conversation',
  restPath: 'chat',
  scopes: { always: ['gemini:chat'], byArgument: { cwd: files, search: web, urls: web, servers } },
  example: { prompt: 'Let us talk about compilers. What is a basic block?' },
  annotations: asking,
  keepsRecords: true,
};

export const chatReply: ToolDeclaration = {
  name: 'chat-reply',
  otherNames: ['gemini_chat_reply', 'gemini_reply'],
  title: 'Continue a conversation',
  searchHint: 'follow-up question same chat continue',
  maxResultCharacters,
  group: 'conversation',
  restPath: 'chat-reply',
  scopes: { always: ['gemini:chat'], byArgument: { cwd: files, search: web, urls: web, servers } },
  example: { prompt: 'And what is it good for?', sessionId: '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10' },
  annotations: asking,
  keepsRecords: true,
};

export const chatDelete: ToolDeclaration = {
  name: 'chat-delete',
  otherNames: ['gemini_chat_delete'],
  title: 'Delete a conversation',
  searchHint: 'erase remove chat session history',
  group: 'conversation',
  restPath: 'chat-delete',
  scopes: { always: ['gemini:chat'], byArgument: {} },
  example: { sessionId: '5f0e2c1a-7c1d-4d0e-9a53-0c6f3f6f7a10' },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** With `yolo` Gemini may do everything that any scope covers. */
export const geminiChat: ToolDeclaration = {
  name: 'geminiChat',
  title: 'Let Gemini explore a directory',
  searchHint: 'explore directory look around project folder',
  maxResultCharacters,
  group: 'agent',
  restPath: 'gemini-chat',
  scopes: { always: ['gemini:chat'], byArgument: { workingDirectory: files, yolo: scopes } },
  example: { prompt: 'Why is the sky blue?' },
  annotations: asking,
};

/** If the operator allows `yolo`, Gemini may run any command. */
export const geminiChatWithYolo: ToolDeclaration = {
  ...geminiChat,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** States the most that an operator may allow: a run can change files and run commands. */
export const geminiAgent: ToolDeclaration = {
  name: 'gemini_agent',
  title: 'Let Gemini work as an agent',
  searchHint: 'delegate task subagent work fix implement refactor tests repair',
  maxResultCharacters,
  group: 'work',
  restPath: 'gemini-agent',
  scopes: { always: ['gemini:files', 'gemini:agent'], byArgument: { servers } },
  example: { task: 'Find out why the tests of src/date.ts fail, and propose a fix.', mode: 'plan' },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

export const geminiUndo: ToolDeclaration = {
  name: 'gemini_undo',
  title: 'Undo a run of gemini_agent',
  searchHint: 'undo revert restore changes run',
  group: 'work',
  restPath: 'gemini-undo',
  scopes: { always: ['gemini:files', 'gemini:agent'], byArgument: {} },
  example: { run: '3f9c2a17d0b84e65' },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

export const googleSearch: ToolDeclaration = {
  name: 'googleSearch',
  otherNames: ['gemini_search', 'web_search'],
  title: 'Search the web',
  searchHint: 'web internet online news google latest current documentation price research articles',
  maxResultCharacters,
  group: 'search',
  restPath: 'google-search',
  scopes: { always: ['gemini:search'], byArgument: { workingDirectory: files, yolo: scopes } },
  example: { query: 'newest long-term release of Node.js', limit: 3, raw: true },
  annotations: asking,
};

/** All tools of this server, in list order. */
export const toolDeclarations: readonly ToolDeclaration[] = [
  geminiQuery,
  geminiContext,
  geminiReview,
  geminiRead,
  geminiJob,
  chat,
  chatReply,
  chatDelete,
  geminiChat,
  geminiAgent,
  geminiUndo,
  googleSearch,
];

/** All facts that follow from a tool's name, before any tool is created. Code that needs one of these facts reads it here. */
export type ToolDeclaration = Required<Pick<Tool, 'name' | 'title' | 'annotations' | 'group' | 'scopes' | 'example'>> &
  Pick<Tool, 'restPath' | 'otherNames' | 'searchHint' | 'isLoadedAtOnce' | 'maxResultCharacters' | 'keepsRecords'>;
