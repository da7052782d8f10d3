/** What Gemini CLI 0.61.0 makes of these names when it logs in with a key. All others it leaves alone. */
const promotedNames: ReadonlyMap<string, string> = new Map([
  ['pro', 'gemini-3.1-pro-preview'],
  ['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
  ['flash', 'gemini-3.8-flash'],
  ['gemini-3.5-flash', 'gemini-3.8-flash'],
  ['flash-lite', 'gemini-3.5-flash-lite'],
  ['gemini-3.1-flash-lite', 'gemini-3.5-flash-lite'],
]);

/**
 * The setting that makes the web search ask the model of the run. By itself it asks another one, and when that one is
 * missing or its quota is used up the CLI asks again, hundreds of times a second, until it is killed. It has to be the
 * name that the CLI ends up with: for another one it forgets that it wanted to search.
 */
export function searchWithModel(model: string): Record<string, unknown> {
  const generateContentConfig = { tools: [{ googleSearch: {} }] };
  const modelConfig = { model: promotedNames.get(model) ?? model, generateContentConfig };
  return { customAliases: { 'web-search': { extends: 'base', modelConfig } } };
}
