/** A file of a pull request, as GitHub lists it. */
export type PullRequestFile = { readonly filename: string; readonly patch?: string };

export type GitHubResponse = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A comment on an issue or on lines, as GitHub stores it. */
export type StoredComment = {
  readonly id: number;
  readonly user: { readonly login: string; readonly type: string };
  body: string;
  readonly path?: string;
  readonly line?: number;
};

type PullRequestOptions = {
  readonly baseSha: string;
  readonly headSha: string;
  readonly files: readonly PullRequestFile[];
};

const bot = { login: 'github-actions[bot]', type: 'Bot' };

/** The state of one pull request, `ada/project#7`. */
export class PullRequest {
  readonly number = 7;
  readonly repository = 'ada/project';
  readonly baseSha: string;
  headSha: string;
  state = 'open';
  files: readonly PullRequestFile[];
  readonly comments: StoredComment[] = [];
  readonly reviewComments: StoredComment[] = [];
  /** The bodies of reviews. */
  readonly reviews: string[] = [];
  #lastId = 100;

  constructor({ baseSha, headSha, files }: PullRequestOptions) {
    this.baseSha = baseSha;
    this.headSha = headSha;
    this.files = files;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The content of the file that the runner passes to a workflow. */
  event({ draft = false, head = this.repository }: { readonly draft?: boolean; readonly head?: string } = {}): object {
    return {
      action: 'synchronize',
      number: this.number,
      pull_request: {
        number: this.number,
        state: this.state,
        draft,
        head: { sha: this.headSha, ref: 'work', repo: { full_name: head, fork: head !== this.repository } },
        base: { sha: this.baseSha, ref: 'main', repo: { full_name: this.repository, fork: false } },
      },
      repository: { full_name: this.repository },
    };
  }
}

type Request = { readonly method: string; readonly path: string; readonly body: unknown };

/** The reply of GitHub to a request with a token of a workflow that may write to the pull request. */
export function answerPullRequest(pull: PullRequest, { method, path, body }: Request): GitHubResponse {
  const { pathname, searchParams } = new URL(path, 'https://api.github.com');
  const page = Number(searchParams.get('page') ?? '1');
  const paged = (entries: readonly unknown[]): GitHubResponse => ok(entries.slice((page - 1) * 100, page * 100));
  const ofPull = `/repos/${pull.repository}/pulls/${pull.number}`;
  const ofIssues = `/repos/${pull.repository}/issues`;
  switch (`${method} ${pathname.replace(/\/comments\/\d+$/, '/comments/ID')}`) {
    case 'GET /user':
      return refusal(403, 'Resource not accessible by integration');
    case `GET ${ofPull}`:
      return ok({ number: pull.number, state: pull.state, head: { sha: pull.headSha }, base: { sha: pull.baseSha } });
    case `GET ${ofPull}/files`:
      return paged(pull.files.map((file) => ({ sha: pull.headSha, status: 'modified', changes: 1, ...file })));
    case `GET ${ofPull}/comments`:
      return paged(pull.reviewComments);
    case `POST ${ofPull}/reviews`:
      return createReview(pull, body);
    case `GET ${ofIssues}/${pull.number}/comments`:
      return paged(pull.comments);
    case `POST ${ofIssues}/${pull.number}/comments`:
      return createComment(pull, textIn(body));
    case `PATCH ${ofIssues}/comments/ID`:
      return updateComment(pull, Number(pathname.split('/').at(-1)), textIn(body));
    default:
      return refusal(404, 'Not Found');
  }
}

const maxBodyCharacters = 65_536;

function createReview(pull: PullRequest, body: unknown): GitHubResponse {
  const { commit_id, event, comments } = body as Record<string, unknown>;
  const wanted = (Array.isArray(comments) ? comments : []) as Record<string, unknown>[];
  const isOnDiff = wanted.every(({ path, line, start_line = line }) => {
    const patch = pull.files.find(({ filename }) => filename === path)?.patch ?? '';
    return shownLines(patch).has(Number(line)) && shownLines(patch).has(Number(start_line));
  });
  const isShort = wanted.every((comment) => textIn(comment).length <= maxBodyCharacters);
  if (commit_id !== pull.headSha || event !== 'COMMENT' || textIn(body) === '' || !isOnDiff || !isShort) {
    return refusal(422, 'Unprocessable Entity');
  }
  pull.reviews.push(textIn(body));
  for (const comment of wanted) {
    const place = { path: String(comment['path']), line: Number(comment['line']) };
    pull.reviewComments.push({ id: pull.nextId(), user: bot, body: textIn(comment), ...place });
  }
  return ok({ id: pull.nextId(), user: bot, state: 'COMMENTED', commit_id });
}

/** The numbers of lines after the change that a patch shows. */
function shownLines(patch: string): ReadonlySet<number> {
  const shown = new Set<number>();
  let next = 0;
  for (const line of patch.split('\n')) {
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(line) ?? [];
    if (start !== undefined) {
      next = Number(start);
    } else if (line.startsWith('+') || line.startsWith(' ')) {
      shown.add(next);
      next += 1;
    }
  }
  return shown;
}

function createComment(pull: PullRequest, body: string): GitHubResponse {
  if (body === '' || body.length > maxBodyCharacters) {
    return refusal(422, 'Validation Failed');
  }
  const comment = { id: pull.nextId(), user: bot, body };
  pull.comments.push(comment);
  return { status: 201, body: comment };
}

function updateComment(pull: PullRequest, id: number, body: string): GitHubResponse {
  const comment = pull.comments.find((each) => each.id === id);
  if (comment === undefined || comment.user.type !== 'Bot') {
    return refusal(comment === undefined ? 404 : 403, comment === undefined ? 'Not Found' : 'Forbidden');
  }
  comment.body = body;
  return ok(comment);
}

function textIn(body: unknown): string {
  const text: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'body') : null;
  return typeof text === 'string' ? text : '';
}

function ok(body: unknown): GitHubResponse {
  return { status: 200, body };
}

function refusal(status: number, message: string): GitHubResponse {
  return { status, body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) } };
}
