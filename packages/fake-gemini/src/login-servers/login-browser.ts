/** A test browser: it follows redirects, keeps cookies, and its user agrees to everything. */
export class LoginBrowser {
  /** Each address that it visited. */
  readonly visited: string[] = [];
  readonly #cookies = new Map<string, string>();

  /** Opens an address; resolves to the text of the final page. Does not open addresses that begin with `stopBefore`. */
  async open(url: string, stopBefore?: string): Promise<string> {
    let next = url;
    for (let hops = 0; hops < 20; hops += 1) {
      this.visited.push(next);
      if (stopBefore !== undefined && next.startsWith(stopBefore)) {
        return next;
      }
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.#cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) {
        return await response.text();
      }
      next = new URL(location, next).href;
    }
    throw new Error('the browser was sent in circles');
  }
}
