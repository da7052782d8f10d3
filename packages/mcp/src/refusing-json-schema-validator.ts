import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * Takes the place of the SDK's default validator, whose library costs a quarter of the start-up time. The SDK validates by it only
 * what a user answers to an elicitation, and we elicit nothing.
 */
export const refusingJsonSchemaValidator: jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server validates no elicited answers: give it a JSON Schema validator first');
  },
};
