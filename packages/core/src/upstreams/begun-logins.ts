import type {
  BegunLogins,
  LoginAnswer,
  LoginBeginning,
  LoginEnd,
  LoginKey,
  LoginLink,
  ServerLogins,
} from '../ports/upstreams/server-logins.ts';

type Begun = {
  readonly ending: AbortController;
  readonly link: Promise<LoginLink | null>;
  readonly end: Promise<LoginEnd>;
};

const maxBegunOfOwner = 5;
const maxBegun = 100;

/** Begun logins in the memory of one process. */
export class InMemoryBegunLogins implements BegunLogins {
  readonly #logins: ServerLogins;
  readonly #begun = new Map<string, { readonly owner: string; readonly login: Begun }>();

  constructor(logins: ServerLogins) {
    this.#logins = logins;
  }

  async begin(place: LoginKey): Promise<LoginBeginning> {
    const key = keyOf(place);
    const known = this.#begun.get(key)?.login;
    const ofOwner = [...this.#begun.values()].filter(({ owner }) => owner === place.owner);
    if (known === undefined && (ofOwner.length >= maxBegunOfOwner || this.#begun.size >= maxBegun)) {
      return { type: 'failed', detail: 'Too many logins wait for their users. Finish one, or wait for ten minutes.' };
    }
    const login = known ?? this.#start(place, key);
    const link = await login.link;
    return link === null ? await login.end : { type: 'link', url: link.url };
  }

  async answer(place: LoginKey, address: string): Promise<LoginAnswer> {
    const login = this.#begun.get(keyOf(place))?.login;
    const link = (await login?.link) ?? null;
    return login === undefined || link === null || !link.answer(address) ? { type: 'not-awaited' } : await login.end;
  }

  async close(): Promise<void> {
    const ending = [...this.#begun.values()].map(({ login }) => login);
    for (const login of ending) {
      login.ending.abort();
    }
    await Promise.all(ending.map(({ end }) => end));
  }

  #start(place: LoginKey, key: string): Begun {
    const ending = new AbortController();
    let tell: (link: LoginLink | null) => void = () => undefined;
    const link = new Promise<LoginLink | null>((resolve) => {
      tell = resolve;
    });
    const request = {
      ...place,
      opensBrowser: false,
      listens: false,
      scopes: [],
      onLink: (found: LoginLink): void => tell(found),
    };
    const end = this.#logins.login(request, ending.signal).then((ended) => {
      this.#begun.delete(key);
      tell(null);
      return ended;
    });
    const login = { ending, link, end };
    this.#begun.set(key, { owner: place.owner, login });
    return login;
  }
}

function keyOf({ owner, server }: LoginKey): string {
  return JSON.stringify([owner, server]);
}
