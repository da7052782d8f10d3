import { excerptFrom, type ToolEvent } from '@gemini-mcp/core';
import { classifySaid } from './classify-said.ts';
import { saidByCli } from './said-by-cli.ts';

/** The CLI's tool for the web: the one that asks a model of its own, and can fail as a run does. */
const searchTool = 'google_web_search';

/**
 * What Gemini CLI 0.61.0 puts before the error of a search. The query in it is a stranger's text, which must not be taken for
 * what the error says.
 */
const errorHead = /^(?:Error:\s*)?Error during web search for query ".*?":\s*/s;

/** What an event tells of a tool that failed, by what was said of it, capped and redacted: nothing where nothing was. */
export function toolFailure(name: string, detail: string): Pick<ToolEvent, 'detail' | 'failure'> {
  if (detail === '') {
    return {};
  }
  if (name !== searchTool) {
    return { detail };
  }
  const said = detail.replace(errorHead, '');
  const failure = classifySaid(said) ?? { kind: 'search-failed', excerpt: excerptFrom(said) };
  return { detail, failure: saidByCli(failure) };
}
