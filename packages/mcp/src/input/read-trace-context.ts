import type { TraceContext } from '@gemini-mcp/core';
import { isJsonObject } from './request-params.ts';

/** W3C Trace Context asks for 512 characters of `tracestate` at least, W3C Baggage for 8,192 bytes. */
const maxTracestateCharacters = 512;
const maxBaggageCharacters = 8_192;

const maxTracestateMembers = 32;
const maxBaggageMembers = 64;

/** The trace context in `_meta` of a request. Leaves out values that break the W3C's syntax. Undefined without a valid value. */
export function readTraceContext(params: unknown): TraceContext | undefined {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  if (!isJsonObject(meta)) {
    return undefined;
  }
  const { traceparent, tracestate, baggage } = meta;
  const read = {
    ...(isTraceparent(traceparent) && { traceparent, ...(isTracestate(tracestate) && { tracestate }) }),
    ...(isBaggage(baggage) && { baggage }),
  };
  return Object.keys(read).length === 0 ? undefined : read;
}

/** Version, trace, parent and flags. Zeros alone name no trace and no parent. */
function isTraceparent(value: unknown): value is string {
  const form = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
  return typeof value === 'string' && form.test(value);
}

function isTracestate(value: unknown): value is string {
  const members = membersOf(value, maxTracestateCharacters);
  const keys = members.map((member) => member.slice(0, member.indexOf('=')));
  return isListOf(members, tracestateMember, maxTracestateMembers) && new Set(keys).size === keys.length;
}

const tracestateMember =
  /^(?:[a-z][\da-z_*/-]{0,255}|[\da-z][\da-z_*/-]{0,240}@[a-z][\da-z_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

function isBaggage(value: unknown): value is string {
  return isListOf(membersOf(value, maxBaggageCharacters), baggageMember, maxBaggageMembers);
}

const baggageKey = "[\\w!#$%&'*+.^`|~-]+";
const baggageValue = '[\\t ]*=(?:[\\t ]*[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]+)?';

/** A key with its value, then properties, each with a value or without. */
const baggageMember = new RegExp(`^${baggageKey}${baggageValue}(?:[\\t ]*;[\\t ]*${baggageKey}(?:${baggageValue})?)*$`);

/** The members of a list that a header can hold, without its empty ones. No members for any other value. */
function membersOf(value: unknown, maxCharacters: number): readonly string[] {
  return typeof value === 'string' && value.length <= maxCharacters && /^[\t\x20-\x7e]*$/.test(value)
    ? value
        .split(',')
        .map((member) => member.trim())
        .filter((member) => member !== '')
    : [];
}

function isListOf(members: readonly string[], form: RegExp, max: number): boolean {
  return members.length > 0 && members.length <= max && members.every((member) => form.test(member));
}
