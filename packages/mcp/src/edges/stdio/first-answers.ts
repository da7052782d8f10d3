import { isRpcError } from '../../handlers/conceal-error.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { isJsonObject } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import { sourceOf } from '../../surface/surface.ts';
import { greet } from '../legacy/handshake.ts';
import { cacheFields } from '../modern/cache-fields.ts';
import { complete, discover } from '../modern/discover.ts';
import { readEnvelope } from '../modern/envelope.ts';
import { type RpcMessage, type RpcRequest, refusalOf } from '../rpc-message.ts';
import type { ServeStdioOptions } from './stdio-served.ts';

/** Answers to a client's first messages, byte for byte those of the eras, but without the code of either. */
export class FirstAnswers {
  readonly #server: McpServerOptions;
  readonly #canChange: boolean;
  readonly #readTools: () => readonly JsonObject[] | null;
  #tools: readonly JsonObject[] | null | undefined;

  constructor({ server, toolsAtStart = () => null }: Pick<ServeStdioOptions, 'server' | 'toolsAtStart'>) {
    this.#server = server;
    this.#canChange = sourceOf(server.surface).onChange !== undefined;
    this.#readTools = toolsAtStart;
  }

  /** Whether `tools/list` needs the code of no era. */
  get hasTools(): boolean {
    return this.#knownTools() !== null;
  }

  probe({ id, params }: RpcRequest): RpcMessage {
    try {
      readEnvelope(params);
      return { jsonrpc: '2.0', id, result: discover(this.#server, this.#canChange) };
    } catch (error) {
      if (!isRpcError(error)) {
        throw error;
      }
      return refusalOf(id, error);
    }
  }

  /** Null for an `initialize` that is not usual. In the order in which the SDK writes the fields. */
  handshake({ id, params }: RpcRequest): RpcMessage | null {
    const result = greet(this.#server, this.#canChange || this.#server.asksForRoots === true, params);
    return result && { result, jsonrpc: '2.0', id };
  }

  /** Null if the tools are not known, or if the parameters have to be refused. */
  modernTools({ id, params }: RpcRequest): RpcMessage | null {
    const tools = asksForFirstPage(params) && isEnvelope(params) ? this.#knownTools() : null;
    const fields = cacheFields('tools/list', this.#canChange);
    return tools && { jsonrpc: '2.0', id, result: complete(this.#server, { ...fields, tools }) };
  }

  /** The same for a client that has shaken hands. */
  legacyTools({ id, params }: RpcRequest): RpcMessage | null {
    const tools = asksForFirstPage(params) ? this.#knownTools() : null;
    return tools && { result: { tools }, jsonrpc: '2.0', id };
  }

  #knownTools(): readonly JsonObject[] | null {
    if (this.#tools === undefined) {
      this.#tools = this.#canChange ? null : this.#readTools();
    }
    return this.#tools;
  }
}

function asksForFirstPage(params: unknown): boolean {
  return !isJsonObject(params) || params['cursor'] === undefined;
}

function isEnvelope(params: unknown): boolean {
  try {
    readEnvelope(params);
    return true;
  } catch {
    return false;
  }
}
