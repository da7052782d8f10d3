import type {
  KnownLogin,
  LoginEnd,
  LoginPlace,
  LoginRequest,
  LogoutEnd,
  ServerLogins,
} from '@gemini-mcp/core/internal';
import type { Logins } from '@gemini-mcp/hub';

export type LateLoginsOptions = {
  readonly open: () => Promise<Logins>;
  /** Somebody has logged in here. */
  readonly onLoggedIn: (place: LoginPlace) => Promise<void>;
};

/** The logins of this process. Nothing of what logs in is loaded before it is needed. */
export class LateLogins implements ServerLogins {
  readonly #options: LateLoginsOptions;
  #logins: Promise<Logins> | undefined;

  constructor(options: LateLoginsOptions) {
    this.#options = options;
  }

  async login(request: LoginRequest, signal: AbortSignal): Promise<LoginEnd> {
    const end = await (await this.load()).login(request, signal);
    if (end.type === 'logged-in') {
      await this.#options.onLoggedIn(request);
    }
    return end;
  }

  async logout(place: LoginPlace, signal: AbortSignal): Promise<LogoutEnd> {
    return await (await this.load()).logout(place, signal);
  }

  async known(place: LoginPlace, signal: AbortSignal): Promise<KnownLogin> {
    return await (await this.load()).known(place, signal);
  }

  /** Rejects where it cannot be loaded, such as for want of descriptors: the next use tries again. */
  async load(): Promise<Logins> {
    this.#logins ??= this.#open();
    return await this.#logins;
  }

  async #open(): Promise<Logins> {
    try {
      return await this.#options.open();
    } catch (error) {
      this.#logins = undefined;
      throw error;
    }
  }

  /** Resolves once no tokens are being renewed. */
  async close(): Promise<void> {
    const logins = await this.#logins?.catch(() => undefined);
    await logins?.close();
  }
}
