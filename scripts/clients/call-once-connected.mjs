// A client may ask its model before it has connected to its MCP servers: a call that finds no tool is then repeated.
import { setTimeout as delay } from 'node:timers/promises';

const maxRepeats = 40;
const pauseMs = 250;

/** The words of Claude Code, Codex, opencode, Copilot CLI and Qwen Code. */
const unknownTool = /No such tool|^unsupported call|unavailable tool|^Tool \S+ (?:does not exist|not found)/;

/** Makes a function of all tool results so far that resolves to the next call of a model's script; null if the tool never comes. */
export function callOnceConnected(nextCall) {
  return async (results) => {
    const served = results.filter((result) => !unknownTool.test(result));
    if (served.at(-1) !== results.at(-1)) {
      await delay(pauseMs);
    }
    return results.length - served.length > maxRepeats ? null : nextCall(served);
  };
}
