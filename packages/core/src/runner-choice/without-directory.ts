import { plainRunSettings, type RunRequest } from '../ports/gemini-runner.ts';

/** The same request without its directory and without the tools for it; null where it names none, or where it needs it. */
export function withoutDirectory(request: RunRequest): RunRequest | null {
  const { settings = plainRunSettings } = request;
  const { directory, directoryIsOptional, tools } = settings;
  if (directory === null || !directoryIsOptional || tools === 'everything') {
    return null;
  }
  return { ...request, settings: { ...settings, directory: null, tools: tools === 'read-only' ? 'none' : tools } };
}
