import { invalidParams, isJsonObject, RpcError } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import { isRequestId, type RequestId } from '../rpc-message.ts';

/** The protocol revisions of this edge, the newest first. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** The error codes that revision 2026-07-28 has in addition to those of JSON-RPC. */
export const modernErrorCodes = {
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
  unsupportedVersion: -32_022,
} as const;

/** The fields of `_meta` that the protocol reserves. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The extension by which a client takes the jobs of its calls as tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Whether the client of a request knows the extension for tasks. */
export function takesTasks({ capabilities }: Pick<Envelope, 'capabilities'>): boolean {
  const { extensions } = capabilities;
  return isJsonObject(extensions) && isJsonObject(extensions[tasksExtension]);
}

/** One JSON-RPC request, its parameters unchecked. */
export type ModernRequest = {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
};

/** What each request of this revision says of its client: there is no handshake. */
export type Envelope = {
  readonly version: string;
  /** Null if the client does not introduce itself. */
  readonly clientName: string | null;
  readonly capabilities: JsonObject;
  /** Null if the client wants no log messages. */
  readonly logLevel: string | null;
  /** Null if the client wants no progress. */
  readonly progressToken: RequestId | null;
};

/** Whether a message claims to be of a revision without handshake; the claim itself may be invalid. */
export function claimsModern(message: unknown): boolean {
  const meta = metaOf(isJsonObject(message) ? message['params'] : undefined);
  return meta !== null && Object.hasOwn(meta, metaKeys.version);
}

/** The revision that the client speaks, which may be another one. Throws an `RpcError` if it is missing or malformed. */
export function readVersion(params: unknown): string {
  const meta = metaOf(params);
  if (meta === null) {
    throw invalidParams(`Invalid parameters: _meta must have ${metaKeys.version} and ${metaKeys.clientCapabilities}`);
  }
  const version = meta[metaKeys.version];
  if (typeof version !== 'string') {
    throw invalidParams(`Invalid parameters: ${metaKeys.version} in _meta must be a string`);
  }
  return version;
}

/** Reads the envelope. Throws an `RpcError` if a field is missing or malformed, or if the revision is another one. */
export function readEnvelope(params: unknown): Envelope {
  const version = readVersion(params);
  const meta = metaOf(params) ?? {};
  if (!modernVersions.includes(version)) {
    throw unsupportedVersion(version);
  }
  const capabilities = meta[metaKeys.clientCapabilities];
  if (!isJsonObject(capabilities)) {
    throw invalidParams(`Invalid parameters: ${metaKeys.clientCapabilities} in _meta must be an object`);
  }
  return {
    version,
    clientName: readClientName(meta[metaKeys.clientInfo]),
    capabilities,
    logLevel: readLogLevel(meta[metaKeys.logLevel]),
    progressToken: readProgressToken(meta['progressToken']),
  };
}

const maxVersionCharacters = 100;

function unsupportedVersion(requested: string): RpcError {
  return new RpcError(modernErrorCodes.unsupportedVersion, 'Unsupported protocol version', {
    supported: modernVersions,
    requested: requested.slice(0, maxVersionCharacters),
  });
}

function metaOf(params: unknown): JsonObject | null {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) ? meta : null;
}

function readClientName(clientInfo: unknown): string | null {
  if (clientInfo === undefined) {
    return null;
  }
  const { name, version } = isJsonObject(clientInfo) ? clientInfo : {};
  if (typeof name !== 'string' || typeof version !== 'string') {
    throw invalidParams(`Invalid parameters: ${metaKeys.clientInfo} in _meta must have a name and a version`);
  }
  return name;
}

const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

function readLogLevel(level: unknown): string | null {
  if (level === undefined) {
    return null;
  }
  if (typeof level !== 'string' || !logLevels.includes(level)) {
    throw invalidParams(`Invalid parameters: ${metaKeys.logLevel} in _meta must be one of ${logLevels.join(', ')}`);
  }
  return level;
}

function readProgressToken(token: unknown): RequestId | null {
  if (token === undefined) {
    return null;
  }
  if (!isRequestId(token)) {
    throw invalidParams('Invalid parameters: progressToken in _meta must be a string or an integer');
  }
  return token;
}
