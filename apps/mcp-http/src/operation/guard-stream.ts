/**
 * Keeps an error in the middle of an event stream from whoever writes the response: that would put its message on the wire and
 * its stack on stderr. `onError` is told of it instead, and nothing more is read; it is for `onError` to close the connection,
 * because a stream that merely ended would look whole.
 */
export function guardStream(response: Response, onError: (error: unknown) => void): Response {
  const { body, headers } = response;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return response;
  }
  return new Response(guarded(body.getReader(), onError), response);
}

function guarded(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let isCancelled = false;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const piece = await reader.read();
    if (isCancelled) {
      return;
    }
    if (piece.done) {
      controller.close();
    } else {
      controller.enqueue(piece.value);
    }
  };
  return new ReadableStream(
    {
      pull: (controller) => pull(controller).catch(onError),
      cancel: (reason: unknown) => {
        isCancelled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
