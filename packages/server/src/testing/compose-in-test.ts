import { type ComposedServer, composeServer } from '../composition/compose-server.ts';
import { partFactories, type ServerOptions, type ServerParts } from '../composition/server-parts.ts';

/** Composes a server over parts that are made once, without a container. */
export function composeInTest(options: ServerOptions): ComposedServer {
  const made = new Map<keyof ServerParts, unknown>();
  const part = <Name extends keyof ServerParts>(name: Name): ServerParts[Name] => {
    if (!made.has(name)) {
      made.set(name, partFactories[name](part, options));
    }
    return made.get(name) as ServerParts[Name];
  };
  return composeServer(options, part);
}
