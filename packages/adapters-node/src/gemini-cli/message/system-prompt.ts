/** Requests with a larger system prompt are refused. */
export const maxSystemPromptCharacters = 1_000_000;

/** Invisible, and not part of any placeholder. */
const wordJoiner = '\u2060';

/**
 * A system prompt as the text of the GEMINI_SYSTEM_MD file. Gemini CLI 0.61.0 fills in four kinds of placeholders; in texts that hold
 * one, an invisible character hides it from the CLI. The CLI trims the ends and reduces several empty lines to one.
 */
export function buildSystemFile(systemPrompt: string): string {
  if (systemPrompt.trim() === '') {
    // The API rejects an empty instruction.
    return wordJoiner;
  }
  return systemPrompt.replace(/\$(?=\{(?:AgentSkills|SubAgents|AvailableTools|\w+_ToolName)\})/g, `$$${wordJoiner}`);
}
