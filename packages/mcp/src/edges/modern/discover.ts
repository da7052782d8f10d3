import { capabilitiesOf, introductionOf } from '../../handlers/introduction.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import { metaKeys, modernVersions, tasksExtension } from './envelope.ts';

/** The part of a server's options that its introduction depends on. */
export type IntroducedServer = Pick<McpServerOptions, 'version' | 'introduction' | 'onlyTools' | 'jobs'>;

/** A client may ask again after this time whether a newer server runs. */
const discoverTtlMs = 3_600_000;

/** The result of `server/discover`. Needs no surface, so that a client's probe starts and loads nothing. */
export function discover(server: IntroducedServer, canChange: boolean): JsonObject {
  return complete(server, {
    supportedVersions: modernVersions,
    capabilities: {
      ...capabilitiesOf(server, canChange),
      ...(server.jobs !== undefined && { extensions: { [tasksExtension]: {} } }),
    },
    instructions: introductionOf(server).instructions,
    ttlMs: discoverTtlMs,
    // Whether lists can change depends on the caller's permissions.
    cacheScope: 'private',
  });
}

/** A result as this revision sends it: with its type, and with the server's name and version. */
export function complete(server: IntroducedServer, result: JsonObject): JsonObject {
  const { name, title } = introductionOf(server);
  const meta = result['_meta'];
  return {
    resultType: 'complete',
    ...result,
    _meta: {
      ...(typeof meta === 'object' && meta),
      [metaKeys.serverInfo]: { name, title, version: server.version },
    },
  };
}
