import { escapeControls } from '@gemini-mcp/core/internal';
import type { ElicitRequestFormParams, PrimitiveSchemaDefinition } from '@modelcontextprotocol/sdk/types.js';
import type { QuestionField } from './question.ts';
import { maxCharactersOf, maxLabelCharacters } from './text-limits.ts';

const maxMessageCharacters = 2_000;

/**
 * The question as MCP's elicitation has it. What the user reads is made safe to show and cut. No field has a default: some clients would
 * send it without asking.
 */
export function elicitationOf(message: string, fields: readonly QuestionField[]): ElicitRequestFormParams {
  const required = fields.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name);
  return {
    message: showable(message, maxMessageCharacters),
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      ...(required.length > 0 && { required }),
    },
  };
}

function schemaOf(field: QuestionField): PrimitiveSchemaDefinition {
  const title = showable(field.label, maxLabelCharacters);
  switch (field.type) {
    case 'text':
      return {
        type: 'string',
        title,
        maxLength: maxCharactersOf(field),
        ...(field.format !== undefined && { format: field.format }),
      };
    case 'number': {
      const { min, max, isInteger } = field;
      const type = isInteger === true ? 'integer' : 'number';
      return { type, title, ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
    }
    case 'yes-no':
      return { type: 'boolean', title };
    case 'choice': {
      // The form that clients of both revisions with elicitation know.
      const labels = field.choices.map(({ label }) => showable(label, maxLabelCharacters));
      return { type: 'string', title, enum: field.choices.map(({ name }) => name), enumNames: labels };
    }
  }
}

function showable(text: string, maxCharacters: number): string {
  const shown = escapeControls(text);
  return shown.length > maxCharacters ? `${shown.slice(0, maxCharacters - 1).replace(/\p{Cs}$/u, '')}…` : shown;
}
