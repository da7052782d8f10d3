import { describe, expect, it } from 'vitest';
import { refusingJsonSchemaValidator } from './create-mcp-server.ts';

describe('refusingJsonSchemaValidator', () => {
  it('says that it validates nothing rather than letting everything pass', () => {
    expect(() => refusingJsonSchemaValidator.getValidator({ type: 'object' })).toThrow('validates no elicited answers');
  });
});
