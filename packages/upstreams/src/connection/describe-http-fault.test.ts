import { describe, expect, it } from 'vitest';
import { describeHttpFault, describeNetworkFault } from './http-transport.ts';

const page = '<!DOCTYPE html><html><body><h1>Not Found</h1></body></html>';
const posting = 'Streamable HTTP error: Error POSTing to endpoint: ';

describe('describeHttpFault', () => {
  it.each([
    [500, `${posting}${page}`, 'It is out of order (status 500).', ''],
    [502, posting, 'It is out of order (status 502).', ''],
    [404, `${posting}Not Found`, 'No MCP server answers at its url (status 404):', 'Not Found'],
    [403, `${posting}{"error":"no plan"}`, 'It refuses access (status 403):', '{"error":"no plan"}'],
    [
      429,
      'Error POSTing to endpoint (HTTP 429): slow down',
      'It received too many requests (status 429):',
      'slow down',
    ],
    [404, 'SSE error: Non-200 status code (404)', 'No MCP server answers at its url (status 404).', ''],
    [
      508,
      `${posting}{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"You ask yourself."}}`,
      'It refuses a request loop (status 508):',
      'You ask yourself.',
    ],
    [400, `${posting}{"error":{"message":7}}`, 'It refused the request (status 400):', '{"error":{"message":7}}'],
    [400, `${posting}{"error":{"message":" "}}`, 'It refused the request (status 400):', '{"error":{"message":" "}}'],
    [418, `${posting}a teapot`, 'It refused the request (status 418):', 'a teapot'],
    [-1, 'Streamable HTTP error: Unexpected content type: text/html', 'Its answer is not an MCP message:', 'text/html'],
    [
      307,
      `${posting}Redirect to https://b.example/ not followed (redirectPolicy: 'same-origin')`,
      'It redirects to another server. If you trust that server, set its url:',
      'https://b.example/',
    ],
  ])('%i %s', (status, message, sentence, said) => {
    expect(describeHttpFault(status, message)).toMatchObject({ sentence, said });
  });

  it.each([
    [429, 'out-of-order'],
    [500, 'out-of-order'],
    [503, 'out-of-order'],
    [400, 'refused'],
    [404, 'refused'],
    [501, 'refused'],
    [508, 'refused'],
    [-1, 'refused'],
  ])('of status %i is %s', (status, kind) => {
    expect(describeHttpFault(status, posting)).toMatchObject({ kind });
  });

  it('describes a network fault in plain words', () => {
    const noise =
      '808CC610AD7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl3_record.c:350:';
    expect(describeNetworkFault(noise)).toContain('does not use TLS');
    expect(describeNetworkFault('connect ECONNREFUSED 127.0.0.1:1')).toBe('connect ECONNREFUSED 127.0.0.1:1');
  });
});
