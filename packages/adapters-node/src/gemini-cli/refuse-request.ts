import {
  type InputRefusal,
  plainRunSettings,
  type RunEnd,
  type RunnerCapabilities,
  type RunRequest,
  type UnsupportedFeature,
} from '@gemini-mcp/core';
import { failRun } from './fail-run.ts';
import { lendsTools } from './lending/lent-server.ts';
import { weighTexts } from './message/session-history.ts';
import { maxSystemPromptCharacters } from './message/system-prompt.ts';

/** The end of a request that asks for more than is declared, or that cannot be carried whole; null for any other. */
export function refuseRequest(request: RunRequest, capabilities: RunnerCapabilities): RunEnd | null {
  const feature = findUnsupported(request, capabilities);
  if (feature !== null) {
    return failRun({ kind: 'unsupported', feature });
  }
  const refusal = refuseTexts(request, capabilities) ?? refuseMediaSize(request, capabilities);
  if (refusal !== null) {
    return failRun({ kind: 'context-too-large', refusal, excerpt: '' });
  }
  const isCarried = (request.media ?? []).every(({ mediaType }) => capabilities.mediaTypes.includes(mediaType));
  return isCarried ? null : failRun({ kind: 'unsupported', feature: 'media' });
}

/** What the CLI can do in one way of running it and not in the other, or not at all. */
function findUnsupported(request: RunRequest, capabilities: RunnerCapabilities): UnsupportedFeature | null {
  const { settings = plainRunSettings, answerSchema, urls = [] } = request;
  const lends = lendsTools(request);
  const missing: readonly (readonly [UnsupportedFeature, boolean])[] = [
    ['tool-sources', lends && capabilities.lendsTools !== true],
    // Tools of the CLI itself know none of the limits of those that are lent.
    ['tools', lends && settings.tools === 'everything'],
    ['directory', request.directory !== undefined && settings.tools !== 'everything'],
    // A container does not reach the endpoint.
    ['sandbox', lends && settings.sandbox],
    ['sandbox', settings.sandbox && !capabilities.sandbox],
    ['tools', !capabilities.tools.includes(settings.tools)],
    ['answer-schema', answerSchema !== undefined && capabilities.answerSchema !== true],
    ['thinking', settings.thinking !== undefined && capabilities.thinking !== true],
    ['urls', urls.length > 0 && capabilities.urls !== true],
  ];
  return missing.find(([, isMissing]) => isMissing)?.[0] ?? null;
}

function refuseTexts(
  request: RunRequest,
  { maxInputBytes, maxInputCharacters }: RunnerCapabilities,
): InputRefusal | null {
  const history = request.history ?? [];
  // By itself no message weighs too much; after a long conversation its weight counts as well.
  const input = history.length === 0 ? request.input.length : weighTexts([request.input]);
  const characters = weighTexts(history.map(({ text }) => text)) + input;
  if (characters > maxInputCharacters) {
    return { measure: 'characters', actual: characters, limit: maxInputCharacters };
  }
  const systemCharacters = request.settings?.systemPrompt?.length ?? 0;
  if (systemCharacters > maxSystemPromptCharacters) {
    return { measure: 'characters', actual: systemCharacters, limit: maxSystemPromptCharacters };
  }
  const bytes = Buffer.byteLength(request.input, 'utf8');
  return bytes > maxInputBytes ? { measure: 'bytes', actual: bytes, limit: maxInputBytes } : null;
}

function refuseMediaSize({ media = [] }: RunRequest, { maxMediaBytes }: RunnerCapabilities): InputRefusal | null {
  const actual = media.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return actual > maxMediaBytes ? { measure: 'bytes of media', actual, limit: maxMediaBytes } : null;
}

/**
 * The end of a run with a key that fits into no environment or no header, and that its error would show; null for
 * any other. In the place of an empty one the CLI would take a key that the user has stored.
 */
export function refuseKey(apiKey: string | null): RunEnd | null {
  const isPlain = apiKey === null || /^[\x21-\x7e]+$/.test(apiKey);
  const excerpt = 'the API key holds characters that no key holds, or none';
  return isPlain ? null : failRun({ kind: 'crashed', detail: 'was not started', excerpt });
}
