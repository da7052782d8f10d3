/** Hears what a task says of itself while it is under way. */
type Listener<News> = (news: News) => void;

type Turn<T, News> = {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  readonly heard: Heard<News>;
};

type Heard<News> = {
  /** One for each caller that waits. */
  readonly listeners: Set<Listener<News>>;
  /** For callers that come later; null while the task has said nothing. */
  latest: News | null;
};

/**
 * One task for all callers that want its result at the same time. It goes on as long as one of them waits, and is aborted when the
 * last one has gone.
 */
export class SharedTask<T, News = never> {
  readonly #perform: (tell: Listener<News>, signal: AbortSignal) => Promise<T>;
  #turn: Turn<T, News> | undefined;

  constructor(perform: (tell: Listener<News>, signal: AbortSignal) => Promise<T>) {
    this.#perform = perform;
  }

  /**
   * Starts the task, or joins the callers that wait for it, and resolves to its result. `onNews` hears the latest of what the task
   * has said already, and all that it says while this caller waits. Resolves to null when `signal` is aborted first: at once, or
   * for the last one to go when the task has ended.
   */
  async join(onNews: Listener<News>, signal: AbortSignal): Promise<T | null> {
    if (signal.aborted) {
      return null;
    }
    this.#turn ??= this.#start();
    const turn = this.#turn;
    const { listeners, latest } = turn.heard;
    // Its own, also where callers share a function.
    const listener: Listener<News> = (news) => onNews(news);
    listeners.add(listener);
    if (latest !== null) {
      onNews(latest);
    }
    const departure = new AbortController();
    const gone = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null), { once: true, signal: departure.signal });
    });
    try {
      return await Promise.race([turn.result, gone]);
    } finally {
      departure.abort();
      listeners.delete(listener);
      if (listeners.size === 0) {
        await this.#end(turn);
      }
    }
  }

  #start(): Turn<T, News> {
    const controller = new AbortController();
    const heard: Heard<News> = { listeners: new Set(), latest: null };
    const tell: Listener<News> = (news) => {
      heard.latest = news;
      for (const listener of heard.listeners) {
        listener(news);
      }
    };
    const result = this.#perform(tell, controller.signal).finally(() => this.#forget(turn));
    const turn: Turn<T, News> = { result, controller, heard };
    return turn;
  }

  async #end(turn: Turn<T, News>): Promise<void> {
    this.#forget(turn);
    turn.controller.abort();
    await turn.result.catch(() => undefined);
  }

  #forget(turn: Turn<T, News>): void {
    if (this.#turn === turn) {
      this.#turn = undefined;
    }
  }
}
