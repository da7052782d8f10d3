import { capabilitiesOf, introductionOf } from '../../handlers/introduction.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { isJsonObject } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';

/** The revisions with a handshake, the newest first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

type Greeting = Pick<McpServerOptions, 'version' | 'introduction' | 'onlyTools'>;

/**
 * The result of `initialize` as the SDK would write it, without the SDK's code. Null for parameters that are not usual: then the SDK has
 * to judge them.
 */
export function greet(server: Greeting, canChange: boolean, params: unknown): JsonObject | null {
  if (!isUsual(params)) {
    return null;
  }
  const { name, title, instructions } = introductionOf(server);
  return {
    protocolVersion: versions.includes(params.protocolVersion) ? params.protocolVersion : versions[0],
    capabilities: capabilitiesOf(server, canChange),
    serverInfo: { name, title, version: server.version },
    instructions,
  };
}

type UsualParams = JsonObject & { readonly protocolVersion: string };

const usualParams = ['protocolVersion', 'capabilities', 'clientInfo', '_meta'];
const usualCapabilities = ['elicitation', 'roots', 'sampling', 'extensions', 'experimental'];
const usualInfo = ['name', 'title', 'version', 'websiteUrl', 'description'];

function isUsual(params: unknown): params is UsualParams {
  if (!isJsonObject(params) || typeof params['protocolVersion'] !== 'string' || !hasOnly(params, usualParams)) {
    return false;
  }
  const { capabilities, clientInfo } = params;
  return (
    isJsonObject(capabilities) &&
    hasOnly(capabilities, usualCapabilities) &&
    Object.values(capabilities).every(isUsualCapability) &&
    isJsonObject(clientInfo) &&
    hasOnly(clientInfo, usualInfo) &&
    typeof clientInfo['name'] === 'string' &&
    typeof clientInfo['version'] === 'string' &&
    Object.values(clientInfo).every((text) => typeof text === 'string')
  );
}

/** Such as `{}`, `{ form: {} }` and `{ listChanged: true }`. */
function isUsualCapability(capability: unknown): boolean {
  return (
    isJsonObject(capability) &&
    Object.entries(capability).every(
      ([name, value]) => isJsonObject(value) || (name === 'listChanged' && typeof value === 'boolean'),
    )
  );
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
