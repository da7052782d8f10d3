/** A POST to where a stream of the older transport says that messages go. */
export function postTo(path: string): Request {
  return new Request(new URL(path, 'http://127.0.0.1:3000'), { method: 'POST' });
}
