import { buffer } from 'node:stream/consumers';
import { LoopbackServer } from '../login-servers/loopback-server.ts';
import { answerPullRequest, type GitHubResponse, PullRequest, type PullRequestFile } from './pull-request.ts';

export type GitHubRequest = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
};

/** A reply for some requests instead of the usual one; null for the usual one. */
export type GitHubFault = (request: GitHubRequest) => GitHubResponse | 'hangs' | null;

/**
 * GitHub's REST API on a loopback port, with one pull request: what `review` uses of it, with the shapes and refusals of GitHub's published
 * description. Must be closed.
 */
export class OfflineGitHub {
  readonly token = 'ghs_offline_token_of_a_workflow';
  readonly pull: PullRequest;
  /** All requests, oldest first. */
  readonly requests: GitHubRequest[] = [];
  /** Consulted for each request. */
  fault: GitHubFault = () => null;
  readonly #server = new LoopbackServer();
  #url = '';

  private constructor(pull: PullRequest) {
    this.pull = pull;
  }

  static async start(options: {
    readonly baseSha: string;
    readonly headSha: string;
    readonly files: readonly PullRequestFile[];
  }): Promise<OfflineGitHub> {
    const github = new OfflineGitHub(new PullRequest(options));
    await github.#listen();
    return github;
  }

  get url(): string {
    return this.#url;
  }

  /** Requests that change something, as `METHOD path`. */
  get changes(): readonly string[] {
    return this.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #listen(): Promise<void> {
    this.#server.server.on('request', (request, response) => {
      void buffer(request).then((bytes) => {
        const { method = '', url: path = '', headers } = request;
        const recorded = { method, path, headers, body: bytes.length === 0 ? null : JSON.parse(bytes.toString()) };
        this.requests.push(recorded);
        const reply = this.#reply(recorded);
        if (reply !== 'hangs') {
          response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
          response.end(JSON.stringify(reply.body));
        }
      });
    });
    this.#url = await this.#server.listen();
  }

  #reply(request: GitHubRequest): GitHubResponse | 'hangs' {
    const fault = this.fault(request);
    if (fault !== null) {
      return fault;
    }
    return request.headers['authorization'] === `Bearer ${this.token}`
      ? answerPullRequest(this.pull, request)
      : { status: 401, body: { message: 'Bad credentials', status: '401' } };
  }
}
