import { isJsonObject, type RpcError } from '../input/request-params.ts';

/** The id of a JSON-RPC request. */
export type RequestId = string | number;

type Params = { readonly [name: string]: unknown; readonly _meta?: { readonly [name: string]: unknown } | undefined };

export type RpcRequest = RpcNotification & { readonly id: RequestId };

export type RpcNotification = {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Params | undefined;
};

/** One JSON-RPC 2.0 message, in MCP's form: parameters and results are objects. */
export type RpcMessage =
  | RpcRequest
  | RpcNotification
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: Params }
  | { readonly jsonrpc: '2.0'; readonly id?: RequestId | undefined; readonly error: RpcErrorObject };

type RpcErrorObject = { readonly code: number; readonly message: string; readonly data?: unknown };

/** Whether a message is to be answered. */
export function isRequest(message: RpcMessage): message is RpcRequest {
  return 'method' in message && 'id' in message;
}

/** The answer to a request that fails. Its id is null if that of the request is not valid. */
export function refusalOf<Id extends RequestId | null>(id: Id, { code, message, data }: RpcError): Refusal<Id> {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

type Refusal<Id> = { readonly jsonrpc: '2.0'; readonly id: Id; readonly error: RpcErrorObject };

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/**
 * Whether a value is one message and nothing else: a member beyond those of its kind makes it none. Written by hand, because the first
 * message must not wait for the code of a schema library.
 */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isJsonObject(value) || value['jsonrpc'] !== '2.0') {
    return false;
  }
  if (typeof value['method'] === 'string') {
    return isParams(value['params'], true) && hasOnly(value, 'method', 'params') && hasValidId(value, !('id' in value));
  }
  if ('result' in value) {
    return isParams(value['result'], false) && hasOnly(value, 'result') && hasValidId(value, false);
  }
  return isErrorObject(value['error']) && hasOnly(value, 'error') && hasValidId(value, !('id' in value));
}

function hasOnly(value: object, ...names: readonly string[]): boolean {
  return Object.keys(value).every((name) => name === 'jsonrpc' || name === 'id' || names.includes(name));
}

function hasValidId(value: object, isOptional: boolean): boolean {
  return isOptional || ('id' in value && isRequestId(value.id));
}

function isParams(params: unknown, isOptional: boolean): boolean {
  return (isOptional && params === undefined) || (isJsonObject(params) && isMeta(params['_meta']));
}

function isMeta(meta: unknown): boolean {
  if (meta === undefined) {
    return true;
  }
  const token = isJsonObject(meta) ? meta['progressToken'] : null;
  return token === undefined || isRequestId(token);
}

function isErrorObject(error: unknown): boolean {
  return isJsonObject(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string';
}
