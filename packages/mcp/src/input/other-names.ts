/**
 * The names that models write for arguments, by the name that a tool accepts. Letters and digits in lower case: other spellings of one
 * name, such as `session_id` for `sessionId`, need no entry.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  prompt: [
    'query',
    'question',
    'message',
    'text',
    'task',
    'request',
    'input',
    'content',
    'instruction',
    'instructions',
  ],
  task: ['prompt', 'query', 'question', 'message', 'text', 'request', 'input', 'goal', 'instruction', 'instructions'],
  query: ['q', 'search', 'searchquery', 'prompt', 'question', 'message', 'text', 'keywords', 'terms', 'input'],
  files: ['file', 'path', 'paths', 'filepath', 'filepaths', 'filename', 'filenames', 'attachments'],
  globpatterns: ['glob', 'globs', 'pattern', 'patterns', 'globpattern', 'include'],
  directories: ['directory', 'dir', 'dirs', 'folder', 'folders', 'path', 'paths'],
  workingdirectory: [
    'cwd',
    'workdir',
    'workingdir',
    'directory',
    'dir',
    'folder',
    'path',
    'project',
    'projectpath',
    'root',
  ],
  cwd: [
    'workingdirectory',
    'workdir',
    'workingdir',
    'directory',
    'dir',
    'folder',
    'path',
    'project',
    'projectpath',
    'root',
  ],
  sessionid: ['session', 'id', 'conversation', 'conversationid', 'chatid', 'threadid'],
  handle: ['id', 'job', 'jobid', 'taskid', 'answer', 'answerid', 'resultid'],
  run: ['id', 'runid', 'handle'],
  systemprompt: ['system', 'systemmessage', 'systeminstruction', 'instruction', 'instructions'],
  model: ['modelname', 'modelid'],
  timeout: [
    'seconds',
    'timeoutseconds',
    'timeoutsecs',
    'timeouts',
    'timeoutms',
    'timeoutmillis',
    'timeoutmilliseconds',
  ],
  background: ['async', 'inbackground', 'runinbackground'],
  schema: ['jsonschema', 'responseschema', 'outputschema', 'answerschema', 'responsejsonschema'],
  urls: ['url', 'link', 'links', 'pages'],
  thinking: ['thinkinglevel', 'reasoning', 'reasoningeffort', 'effort'],
  limit: ['maxresults', 'numresults', 'resultcount', 'count', 'num', 'topk'],
  search: ['query', 'find', 'grep', 'pattern', 'text'],
  offset: ['start', 'from', 'position'],
  lines: ['line', 'range', 'linerange'],
  servers: ['server', 'mcpservers'],
  name: ['tool', 'toolname'],
  arguments: ['args', 'input', 'params', 'parameters'],
};

/** Names under which models give either files or a directory, so that the value has to decide. */
const pathNames: ReadonlySet<string> = new Set(['path', 'paths']);

const directoryNames: ReadonlySet<string> = new Set(['directories', 'workingdirectory', 'cwd']);

/** The accepted name that is the only meaning of an unknown one with this value; null if it has several meanings or none. */
export function onlyMeaningOf(written: string, value: unknown, accepted: readonly string[]): string | null {
  const plain = plainName(written);
  const spelled = accepted.filter((name) => plainName(name) === plain);
  const meant = spelled.length > 0 ? spelled : accepted.filter((name) => otherNames[plainName(name)]?.includes(plain));
  const fitting = pathNames.has(plain) ? meant.filter((name) => holdsPath(plainName(name), value)) : meant;
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Whether a name states milliseconds. Every timeout of a tool is in seconds. */
export function isInMilliseconds(written: string): boolean {
  return /(?:ms|millis|milliseconds)$/.test(plainName(written));
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** Whether the argument can take the path. A bare word such as `src` can be a file and a directory. */
function holdsPath(accepted: string, value: unknown): boolean {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isDirectory = directoryNames.has(accepted);
  return paths.every(
    (path) => typeof path === 'string' && !(isDirectory ? hasExtension(path) : /(?:^|[\\/])\.{0,2}$/.test(path)),
  );
}

/** `src/a.ts` and `src/a.ts:10-40`, and neither `.github` nor `..`. */
function hasExtension(path: string): boolean {
  return /[^\\/.]\.[a-z\d]{1,8}(?::\d[\d,-]*)?$/i.test(path);
}
