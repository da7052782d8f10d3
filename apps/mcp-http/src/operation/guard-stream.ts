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
  const reader = body.getReader();
  const guarded = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            return;
          }
          controller.enqueue(value);
        } catch (error) {
          onError(error);
        }
      },
      cancel: (reason: unknown) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(guarded, response);
}
