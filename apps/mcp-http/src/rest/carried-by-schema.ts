import type { CarriedBy, ChoiceReason } from '@gemini-mcp/core';
import * as z from 'zod';

/** A record, so that a new reason does not compile until it is documented. */
const choiceReasons: Readonly<{ [Reason in ChoiceReason]: Reason }> = {
  preferred: 'preferred',
  'asked-for': 'asked-for',
  'needs-history': 'needs-history',
  'needs-system-prompt': 'needs-system-prompt',
  'needs-tools': 'needs-tools',
  'needs-directory': 'needs-directory',
  'needs-media': 'needs-media',
  'needs-api-key': 'needs-api-key',
  'needs-login': 'needs-login',
  'needs-sandbox': 'needs-sandbox',
  'needs-answer-schema': 'needs-answer-schema',
  'needs-thinking': 'needs-thinking',
  'needs-token-count': 'needs-token-count',
  'needs-urls': 'needs-urls',
  'needs-tool-sources': 'needs-tool-sources',
  'too-large': 'too-large',
  resting: 'resting',
  'in-reserve': 'in-reserve',
  refused: 'refused',
  unavailable: 'unavailable',
  'lacks-least': 'lacks-least',
};

/** By which way a call or an attempt went. */
export const carriedBySchema: z.ZodType<CarriedBy> = z
  .object({
    runner: z.string().describe('What carried it, by its name in the log.'),
    by: z.string().describe('What was asked, such as `Gemini API` or `Gemini CLI`.'),
    login: z.string().exactOptional().describe('With which login, where that is known.'),
    reason: z.enum(choiceReasons).describe('Why this way, as in the log.'),
  })
  .describe('By which way it went. Cost and terms differ by it.');
