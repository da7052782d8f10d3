// A loopback server for the API of a client's own model. A script provides the model's answers.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * Starts the API. `answer` gets the JSON body of each POST to a path that `path` matches, and resolves to the events of the answer; an event that is a
 * text is sent as it is. Resolves to the address and a function that ends it.
 */
export async function startLoopbackApi({ path, answer }) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method !== 'POST' || !path.test(request.url ?? '')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    const events = await answer(JSON.parse(body));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map(writeEvent).join(''));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function writeEvent(event) {
  const name = event.type === undefined ? '' : `event: ${event.type}\n`;
  return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`;
}
