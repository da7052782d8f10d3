import { describe, expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { refuseNode } from './check-node.ts';

describe('refuseNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.21.0'])('lets %s pass', (version) => {
    expect(refuseNode(version, sampleProgram)).toBeNull();
  });

  it.each(['16.20.2', '18.20.8', '20.18.3', 'x'])('names the required version and the remedy for %s', (version) => {
    expect(refuseNode(version, sampleProgram)).toMatch(
      /^Node \S+ is too old: 20\.19 is needed\. Install Node 22 .+, and start the sample with it\.$/,
    );
  });
});
