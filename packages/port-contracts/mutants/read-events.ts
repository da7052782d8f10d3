const prefix = 'data: ';

/** The data of server-sent events with one line each, as the Gemini API sends them. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${piece}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  }
}
